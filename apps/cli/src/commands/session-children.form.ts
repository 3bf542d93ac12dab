import type { CommandForm } from "../arguments/command.ts"
import { done, formattedStorageOptions, rawOptions, MISSING_SESSION } from "../command-options.ts"

export const sessionChildrenOptions = { ...rawOptions, ...formattedStorageOptions } as const

export const sessionChildrenForm = {
  usage: ["session children [options] <id>"],
  words: { min: 1, max: 1, missing: MISSING_SESSION },
  options: sessionChildrenOptions,
  exitCodes: done,
  examples: [["pawl session children ses_7ZZ…", "list the sessions of its subagents"]],
} as const satisfies CommandForm
