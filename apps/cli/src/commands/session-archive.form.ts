import type { CommandForm } from "../arguments/command.ts"
import { done, storageOptions, MISSING_SESSION } from "../command-options.ts"

export const sessionArchiveForm = {
  usage: ["session archive [options] <id> …"],
  words: { min: 1, max: Infinity, missing: MISSING_SESSION },
  options: storageOptions,
  exitCodes: done,
  examples: [["pawl session archive ses_7ZZ…", "list it with pawl session list --archived"]],
} as const satisfies CommandForm
