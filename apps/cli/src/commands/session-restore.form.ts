import type { CommandForm } from "../arguments/command.ts"
import { done, formattedStorageOptions } from "../command-options.ts"

export const sessionRestoreForm = {
  usage: ["session restore [options]", "session restore [options] <id>"],
  words: { min: 0, max: 1 },
  options: formattedStorageOptions,
  exitCodes: done,
  examples: [
    ["pawl session restore", "what was removed in the last 7 days"],
    ["pawl session restore ses_7ZZ…", "with all that was below it"],
  ],
} as const satisfies CommandForm
