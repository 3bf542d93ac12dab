import { hidePasswords } from "@pawl/config/hide-passwords"
import { findCommand } from "./arguments/find-command.ts"
import { showHelp } from "./arguments/show-help.ts"
import { commands } from "./command-table.ts"
import { explainError } from "./explain-error.ts"
import { type ExitCode, exitCodes } from "./exit-code.ts"
import type { Host } from "./host.ts"
import { isReaderGone } from "./output/output.ts"
import { errorLines } from "./render/error-lines.ts"
import { createTheme, wantsColour } from "./render/theme.ts"

/** Runs the command that the arguments name. Resolves when everything printed has reached its reader. */
export async function cli(given: readonly string[], host: Host): Promise<ExitCode> {
  const exitCode = await dispatch(given, host).catch((error: unknown) => report(error, host))
  await host.stdout.flushed()
  const unprinted = outputFailure(host)
  if (unprinted !== undefined) host.stderr.write(`${unprinted}\n`)
  await host.stderr.flushed()
  return unprinted !== undefined && exitCode === exitCodes.success ? exitCodes.failed : exitCode
}

async function dispatch(given: readonly string[], host: Host): Promise<ExitCode> {
  if (given.length === 0) {
    await showHelp(commands, [], host.stderr, host.environment)
    return exitCodes.usage
  }
  const end = given.indexOf("--")
  const flags = end < 0 ? given : given.slice(0, end)
  if (flags.includes("--help") || flags.includes("-h")) {
    await showHelp(commands, namedCommand(flags), host.stdout, host.environment)
    return exitCodes.success
  }
  const { command, rest } = findCommand(commands, given)
  return command.run(rest, host)
}

/** The words before the first option, as far as they can name a command. */
function namedCommand(given: readonly string[]): readonly string[] {
  const words = given.slice(
    0,
    given.findIndex((word) => word.startsWith("-")),
  )
  const [first = "", second] = words
  const isGroup = commands.some(({ name }) => name.startsWith(`${first} `))
  return isGroup && second !== undefined ? [first, second] : words.slice(0, 1)
}

function report(error: unknown, { stderr, environment, secrets }: Host): ExitCode {
  const theme = createTheme(wantsColour(environment, stderr.isTerminal))
  const { message, hint, exitCode } = explainError(error)
  stderr.write(`${errorLines(message, { output: stderr, theme, secrets }, hint).join("\n")}\n`)
  if (environment["PAWL_DEBUG"] && error instanceof Error)
    stderr.write(hidePasswords(secrets.mask(`${error.stack}\n${causes(error)}`)))
  return exitCode
}

function causes(error: Error): string {
  return error.cause instanceof Error ? `caused by ${error.cause.stack}\n${causes(error.cause)}` : ""
}

/** Output that was lost to something else than a reader who had enough is a failure. */
function outputFailure({ stdout, secrets }: Host): string | undefined {
  if (!stdout.gone.aborted || isReaderGone(stdout.gone)) return undefined
  return `pawl: the output could not be written: ${secrets.mask((stdout.gone.reason as Error).message)}`
}
