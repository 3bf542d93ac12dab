import type { ExitCode } from "../exit-code.ts"
import type { Host } from "../host.ts"
import type { Command, CommandForm, OptionSpecs } from "./command.ts"
import { formatOf } from "./general.ts"
import { parseArguments } from "./parse.ts"
import { withGeneral } from "./with-general.ts"

export interface RunnableCommand<S extends OptionSpecs> {
  readonly name: string
  readonly form: () => Promise<CommandForm<S>>
  readonly code: () => Promise<Command<S>>
}

/** Parses the arguments after a command's name, then loads its code and runs it. Rejects with UsageError before loading. */
export async function runCommand<S extends OptionSpecs>(
  { name, form: loadForm, code }: RunnableCommand<S>,
  given: readonly string[],
  host: Host,
): Promise<ExitCode> {
  const form = await loadForm()
  const hasFormat = "format" in form.options
  const { general, options, words } = parseArguments({ name, ...form }, given)
  const input = { options: { ...options, ...(hasFormat ? formatOf(options, general) : {}) }, words }
  const isTold = general.json === true && !hasFormat && form.isForPrograms !== true
  return withGeneral({ general, name, options, isTold }, host, async (changed) => {
    const command = await code()
    return command(input, changed)
  })
}
