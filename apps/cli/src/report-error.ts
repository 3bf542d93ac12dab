import { hidePasswords } from "@pawl/config/hide-passwords"
import { explainError } from "./explain-error.ts"
import type { ExitCode } from "./exit-code.ts"
import type { Host } from "./host.ts"
import { errorLines } from "./render/error-lines.ts"
import { createTheme, wantsColour } from "@pawl/terminal-text/theme"

/** Says on stderr what ended a command and what to do next. */
export function reportError(
  error: unknown,
  { stderr, environment, secrets, log }: Pick<Host, "stderr" | "environment" | "secrets" | "log">,
): ExitCode {
  const theme = createTheme(wantsColour(environment, stderr.isTerminal))
  const { message, hint, exitCode } = explainError(error)
  stderr.write(`${errorLines(message, { output: stderr, theme, secrets }, hint).join("\n")}\n`)
  if (environment["PAWL_DEBUG"] && error instanceof Error)
    stderr.write(hidePasswords(secrets.mask(`${error.stack}\n${causes(error)}`)))
  log.write("error", "failed", () => ({ message, stack: error instanceof Error ? error.stack : undefined }))
  return exitCode
}

function causes(error: Error): string {
  return error.cause instanceof Error ? `caused by ${error.cause.stack}\n${causes(error.cause)}` : ""
}
