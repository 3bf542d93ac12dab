import type { CommandForm } from "../arguments/command.ts"
import { done, storageOptions } from "../command-options.ts"

export const sessionUnarchiveForm = {
  usage: ["session unarchive [options] <id> …"],
  words: { min: 1, max: Infinity, missing: "Which session? pawl session list --archived shows them." },
  options: storageOptions,
  exitCodes: done,
  examples: [["pawl session unarchive ses_7ZZ…", "undoes pawl session archive"]],
} as const satisfies CommandForm
