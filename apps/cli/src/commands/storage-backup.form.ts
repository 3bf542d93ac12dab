import type { CommandForm } from "../arguments/command.ts"
import { done, formattedStorageOptions, STORAGES } from "../command-options.ts"

export const storageBackupForm = {
  usage: ["storage backup [options] <file>"],
  notes: ["The file is a complete storage: sqlite:<file> opens it. Sessions can run meanwhile. " + STORAGES],
  words: { min: 1, max: 1, missing: "missing file: pawl storage backup <file>" },
  options: formattedStorageOptions,
  exitCodes: { ...done, 1: "failed, or not everything could be read" },
  examples: [
    ["pawl storage backup ~/pawl-monday.db", "write a backup and verify it"],
    ["pawl session list --storage sqlite:~/pawl-monday.db", "list the sessions in the backup"],
  ],
} as const satisfies CommandForm
