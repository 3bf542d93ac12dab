import type { CommandForm } from "../arguments/command.ts"
import { done, formattedStorageOptions } from "../command-options.ts"

export const sessionRestoreForm = {
  usage: ["session restore [options]", "session restore [options] <id>"],
  words: { min: 0, max: 1 },
  options: formattedStorageOptions,
  exitCodes: done,
  examples: [
    ["pawl session restore", "list sessions removed in the last 7 days"],
    ["pawl session restore ses_7ZZ…", "restore a session and its child sessions"],
  ],
} as const satisfies CommandForm
