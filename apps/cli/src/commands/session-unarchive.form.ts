import type { CommandForm } from "../arguments/command.ts"
import { done, storageOptions } from "../command-options.ts"

export const sessionUnarchiveForm = {
  usage: ["session unarchive [options] <id> …"],
  words: { min: 1, max: Infinity, missing: "missing session id; list them: pawl session list --archived" },
  options: storageOptions,
  exitCodes: done,
  examples: [["pawl session unarchive ses_7ZZ…", "undo pawl session archive"]],
} as const satisfies CommandForm
