import type { CommandInput } from "../arguments/command.ts"
import { suggestion } from "@pawl/config/suggestion"
import { UsageError } from "../arguments/usage-error.ts"
import { type ExitCode, exitCodes } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { openPlugins, type OpenedPlugins } from "@pawl/runtime/open-plugins"
import { plainLine, plainText } from "@pawl/plain-text"
import { createTheme, wantsColour } from "@pawl/terminal-text/theme"
import { workDirectory } from "@pawl/runtime/session/work-directory"
import type { formattedDirectoryOptions } from "../command-options.ts"

export type DefinitionInput = CommandInput<typeof formattedDirectoryOptions>

/** The printed form of a definition: short facts, then its text. */
interface Shown {
  readonly facts: Readonly<Record<string, unknown>>
  readonly text: string | undefined
}

interface Kind {
  /** Command group, as in `agent list`. */
  readonly word: "agent" | "command" | "skill"
  readonly names: (opened: OpenedPlugins) => readonly string[]
  readonly find: (opened: OpenedPlugins, name: string) => Shown | undefined
}

/** Prints a definition. Throws UsageError for an unknown name. */
export async function showDefinition(
  { options, words: [name = ""] }: DefinitionInput,
  host: Host,
  { word, names, find }: Kind,
): Promise<ExitCode> {
  const { stdout, environment } = host
  await using opened = await openPlugins({ directory: await workDirectory(host, options.dir), host })
  const shown = find(opened, name)
  if (!shown) {
    const meant = suggestion(name, names(opened))
    const also = meant === undefined ? "" : ` Did you mean "${meant}"?`
    throw new UsageError(`unknown ${word} "${name}".${also}`, `List them: pawl ${word} list`)
  }
  const { facts, text } = shown
  if (options.format === "json") {
    const field = { agent: "prompt", command: "template", skill: "content" }[word]
    stdout.write(`${JSON.stringify({ ...facts, [field]: text })}\n`)
    return exitCodes.success
  }
  const theme = createTheme(wantsColour(environment, stdout.isTerminal))
  const entries = Object.entries(facts).filter(([, value]) => value !== undefined)
  const widest = Math.max(...entries.map(([key]) => key.length))
  for (const [key, value] of entries) {
    const written = typeof value === "string" ? value : JSON.stringify(value)
    stdout.write(`${theme.accent(key.padEnd(widest))}  ${plainLine(written)}\n`)
  }
  if (text !== undefined && text.trim() !== "") stdout.write(`\n${plainText(text).trimEnd()}\n`)
  return exitCodes.success
}
