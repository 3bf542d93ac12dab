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

export const exitCodeMeanings: readonly (readonly [code: ExitCode, meaning: string])[] = [
  [exitCodes.success, "the task was answered, or queued for the process that runs the session"],
  [exitCodes.failed, "failed; the reason is on stderr"],
  [exitCodes.usage, "invalid command line, attachment or configuration"],
  [exitCodes.refused, "a tool call needed a permission that was not granted"],
  [exitCodes.limited, "a limit was reached: steps, cost, tokens, requests or time; continue with pawl run -c"],
  [exitCodes.interrupted, "interrupted (Ctrl-C), or the output pipe was closed"],
  [exitCodes.terminated, "terminated (SIGTERM), or the terminal was closed"],
]
