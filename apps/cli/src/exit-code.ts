/** Exit codes of the process. Documented in every help text and in the README. */
export const exitCodes = {
  success: 0,
  failed: 1,
  usage: 2,
  refused: 3,
  limited: 4,
  interrupted: 130,
  terminated: 143,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

export type ExitCodeMeanings = Partial<Readonly<Record<ExitCode, string>>>

/** Exit codes that every command can return. A command may describe them in its own words. */
export const commonMeanings: ExitCodeMeanings = {
  [exitCodes.success]: "success",
  [exitCodes.failed]: "failed; the reason is on stderr",
  [exitCodes.usage]: "invalid command line or configuration",
  [exitCodes.interrupted]: "interrupted (Ctrl-C), or the output pipe was closed",
  [exitCodes.terminated]: "terminated (SIGTERM), or the terminal was closed",
}

/** Exit codes of `pawl run`. */
export const runMeanings: ExitCodeMeanings = {
  [exitCodes.success]: "the task was answered, or queued for the process that runs the session",
  [exitCodes.usage]: "invalid command line, attachment or configuration",
  [exitCodes.refused]: "a tool call needed a permission that was not granted",
  [exitCodes.limited]: "a limit was reached: steps, cost, tokens, requests or time; continue with pawl run -c",
}
