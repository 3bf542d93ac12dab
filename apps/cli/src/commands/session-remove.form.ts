import type { CommandForm } from "../arguments/command.ts"
import { done, storageOptions, WHICH_SESSION } from "../command-options.ts"

export const sessionRemoveOptions = {
  yes: { short: "y", summary: "do not ask" },
  ...storageOptions,
} as const

export const sessionRemoveForm = {
  usage: ["session remove [options] <id> …"],
  notes: [
    "For 7 days they can be restored: what is removed is first written to trash/ in the data directory, and noted in " +
      "trash/audit.jsonl there. A session that another process works on is not removed.",
  ],
  words: { min: 1, max: Infinity, missing: WHICH_SESSION },
  options: sessionRemoveOptions,
  exitCodes: { ...done, 1: "it failed, or you said no" },
  examples: [
    ["pawl session remove ses_7ZZ…", "asks first"],
    ["pawl session remove --yes ses_7ZZ… ses_7ZY…", "in a script"],
  ],
} as const satisfies CommandForm
