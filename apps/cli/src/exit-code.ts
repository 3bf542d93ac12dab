/** What the process tells its caller. Documented in every help text and in the README. */
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
  [exitCodes.success, "the task was answered, or waits in the queue of the process that works on the session"],
  [exitCodes.failed, "it failed; the reason is on stderr"],
  [exitCodes.usage, "the command line or the configuration cannot be used"],
  [exitCodes.refused, "a tool call needed a permission that was not given"],
  [
    exitCodes.limited,
    "a limit of steps, cost, tokens, requests or time was reached; what is stored can be gone on with",
  ],
  [exitCodes.interrupted, "ended with Ctrl-C, or work whose output nobody reads any more"],
  [exitCodes.terminated, "ended by SIGTERM or because the terminal closed"],
]
