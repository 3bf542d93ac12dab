import { findCommand } from "./arguments/find-command.ts"
import { nameFirst } from "./arguments/general.ts"
import { helpWords } from "./arguments/help-words.ts"
import { showHelp } from "./arguments/show-help.ts"
import { commands } from "./command-table.ts"
import { type ExitCode, exitCodes } from "./exit-code.ts"
import type { Host } from "./host.ts"
import { isReaderGone } from "./output/output.ts"
import { reportError } from "./report-error.ts"

/** Runs the command that the arguments name. Resolves when everything printed has reached its reader. */
export async function cli(written: readonly string[], host: Host): Promise<ExitCode> {
  const given = nameFirst(written)
  const exitCode = await dispatch(given, host).catch((error: unknown) => reportError(error, host))
  await host.stdout.flushed()
  const unprinted = outputFailure(host)
  if (unprinted !== undefined) host.stderr.write(`${unprinted}\n`)
  await host.stderr.flushed()
  return unprinted !== undefined && exitCode === exitCodes.success ? exitCodes.failed : exitCode
}

async function dispatch(given: readonly string[], host: Host): Promise<ExitCode> {
  if (given.length === 0) {
    await showHelp(commands, undefined, host.stdout, host.environment)
    return exitCodes.success
  }
  const words = helpWords(commands, given)
  if (words) {
    await showHelp(commands, words, host.stdout, host.environment)
    return exitCodes.success
  }
  const { command, rest } = findCommand(commands, given)
  return command.run(rest, host)
}

/** Returns the reason why output was lost. Undefined if all was written, or the reader closed the pipe. */
function outputFailure({ stdout, secrets }: Host): string | undefined {
  if (!stdout.gone.aborted || isReaderGone(stdout.gone)) return undefined
  return `pawl: the output could not be written: ${secrets.mask((stdout.gone.reason as Error).message)}`
}
