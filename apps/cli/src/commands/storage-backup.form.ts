import type { CommandForm } from "../arguments/command.ts"
import { done, formattedStorageOptions, STORAGES } from "../command-options.ts"

export const storageBackupForm = {
  usage: ["storage backup [options] <file>"],
  notes: ["The file is a storage of its own: sqlite:<file> opens it. " + STORAGES],
  words: { min: 1, max: 1, missing: "Into which file? pawl storage backup <file>" },
  options: formattedStorageOptions,
  exitCodes: { ...done, 1: "it failed, or not everything could be read" },
  examples: [
    ["pawl storage backup ~/pawl-monday.db", "what it holds is read back and compared"],
    ["pawl session list --storage sqlite:~/pawl-monday.db", "look into it"],
  ],
} as const satisfies CommandForm
