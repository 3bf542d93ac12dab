import type { CommandForm } from "../arguments/command.ts"
import { done, storageOptions, MISSING_SESSION } from "../command-options.ts"

export const sessionRemoveOptions = {
  yes: { short: "y", summary: "do not ask" },
  ...storageOptions,
} as const

export const sessionRemoveForm = {
  usage: ["session remove [options] <id> …"],
  notes: [
    "Removed sessions can be restored for 7 days: they are first written to trash/ in the data directory, and logged in " +
      "trash/audit.jsonl there. A session that another process runs is not removed.",
  ],
  words: { min: 1, max: Infinity, missing: MISSING_SESSION },
  options: sessionRemoveOptions,
  exitCodes: { ...done, 1: "failed, or you declined" },
  examples: [
    ["pawl session remove ses_7ZZ…", "remove a session after a question"],
    ["pawl session remove --yes ses_7ZZ… ses_7ZY…", "remove sessions without asking, in a script"],
  ],
} as const satisfies CommandForm
