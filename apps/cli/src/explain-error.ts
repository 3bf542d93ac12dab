import { errorMessage } from "@pawl/config/error-message"
import { UsageError } from "./arguments/usage-error.ts"
import { type ExitCode, exitCodes } from "./exit-code.ts"

export interface Explanation {
  /** For people, without a stack. */
  readonly message: string
  /** The next step, where the message does not name it. */
  readonly hint?: string
  readonly exitCode: ExitCode
}

/** Returns the text about an error that ended a command. */
export function explainError(error: unknown): Explanation {
  if (error instanceof UsageError) {
    return {
      message: error.message,
      ...(error.hint === undefined ? {} : { hint: error.hint }),
      exitCode: exitCodes.usage,
    }
  }
  if (!(error instanceof Error)) return { message: String(error), exitCode: exitCodes.failed }
  // By name: the packages that define these errors are not loaded for every command.
  const exitCode = USAGE_ERRORS.has(error.name) ? exitCodes.usage : exitCodes.failed
  const hint = "hint" in error && typeof error.hint === "string" ? { hint: error.hint } : {}
  return { message: errorMessage(error), ...hint, exitCode }
}

const USAGE_ERRORS: ReadonlySet<string> = new Set(["ConfigError", "NotFoundError", "ScriptError", "DocumentError"])
