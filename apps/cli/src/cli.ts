import type { CommandRow } from "./arguments/command.ts"
import { findCommand } from "./arguments/find-command.ts"
import { nameFirst, withFormat } from "./arguments/general.ts"
import { helpWords } from "./arguments/help-words.ts"
import { parseArguments } from "./arguments/parse.ts"
import { showHelp } from "./arguments/show-help.ts"
import { commands } from "./command-table.ts"
import { type ExitCode, exitCodes } from "./exit-code.ts"
import type { Host } from "./host.ts"
import { isReaderGone } from "./output/output.ts"
import { reportError } from "./report-error.ts"

/** Runs the command that the arguments name. Resolves when everything printed has reached its reader. */
export async function cli(
  written: readonly string[],
  host: Host,
  table: readonly CommandRow[] = commands,
): Promise<ExitCode> {
  const exitCode = await dispatch(nameFirst(written), host, table).catch((error: unknown) => reportError(error, host))
  await host.stdout.flushed()
  const unprinted = outputFailure(host)
  if (unprinted !== undefined) host.stderr.write(`${unprinted}\n`)
  await host.stderr.flushed()
  return unprinted !== undefined && exitCode === exitCodes.success ? exitCodes.failed : exitCode
}

async function dispatch(written: readonly string[], host: Host, table: readonly CommandRow[]): Promise<ExitCode> {
  const words = helpWords(table, written)
  const args = words === undefined && isForTui(written, host) ? ["tui", ...written] : written
  if (args.length === 0 || words !== undefined) {
    await showHelp(table, words, host.stdout, host.environment)
    return exitCodes.success
  }
  const { command: row, rest } = findCommand(table, args)
  // Help texts do not need it.
  const [{ command }, { beginCommand }] = await Promise.all([row.load(), import("./arguments/begin-command.ts")])
  const { general, options, words: named } = parseArguments({ ...command, name: row.name }, rest)
  const hasFormat = "format" in command.options
  const input = { options: hasFormat ? withFormat(options, general) : options, words: named }
  const isTold = general.json === true && !hasFormat && command.isForPrograms !== true
  const begun = beginCommand({ general, name: row.name, options, isTold }, host)
  let exitCode: ExitCode
  try {
    exitCode = await command.run(input, begun.host, table)
  } catch (error) {
    exitCode = reportError(error, begun.host)
  }
  begun.end(exitCode)
  return exitCode
}

/** Returns true for options without a command, and for no arguments at all, on a terminal. */
function isForTui([first]: readonly string[], { stdin, stdout }: Host): boolean {
  if (first !== undefined && !first.startsWith("-")) return false
  return stdout.isTerminal && !stdout.isDumb && stdin.isTTY
}

/** Returns the reason why output was lost. Undefined if all was written, or the reader closed the pipe. */
function outputFailure({ stdout, secrets }: Host): string | undefined {
  if (!stdout.gone.aborted || isReaderGone(stdout.gone)) return undefined
  return `pawl: the output could not be written: ${secrets.mask((stdout.gone.reason as Error).message)}`
}
