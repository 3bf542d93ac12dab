import type { CommandForm } from "../arguments/command.ts"
import { done, storageOptions, WHICH_SESSION } from "../command-options.ts"

export const sessionArchiveForm = {
  usage: ["session archive [options] <id> …"],
  words: { min: 1, max: Infinity, missing: WHICH_SESSION },
  options: storageOptions,
  exitCodes: done,
  examples: [["pawl session archive ses_7ZZ…", "pawl session list --archived still shows it"]],
} as const satisfies CommandForm
