import { UsageError } from "./arguments/usage-error.ts"
import { type ExitCode, exitCodes } from "./exit-code.ts"

export interface Explanation {
  /** For people, without a stack. */
  readonly message: string
  /** The next step, where the message does not name it. */
  readonly hint?: string
  readonly exitCode: ExitCode
}

/** What the user reads of an error that ended a command. */
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
  return { message: systemMessage(error) ?? error.message, ...hint, exitCode }
}

const USAGE_ERRORS: ReadonlySet<string> = new Set(["ConfigError", "NotFoundError", "ScriptError", "DocumentError"])

const SYSTEM_ERRORS: Readonly<Record<string, string>> = {
  EACCES: "Permission denied",
  EPERM: "Not permitted",
  EROFS: "The file system is read-only",
  ENOSPC: "No space is left on the disk",
  EDQUOT: "The disk quota is used up",
  ENOENT: "No such file or directory",
  EISDIR: "A directory, where a file was wanted",
  EMFILE: "Too many files are open",
  ENAMETOOLONG: "The name is too long",
}

function systemMessage(error: Error & { readonly code?: unknown; readonly path?: unknown }): string | undefined {
  const words = typeof error.code === "string" ? SYSTEM_ERRORS[error.code] : undefined
  if (words === undefined || typeof error.path !== "string") return undefined
  return `${words}: ${error.path}`
}
