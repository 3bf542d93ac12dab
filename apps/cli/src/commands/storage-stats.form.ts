import type { CommandForm } from "../arguments/command.ts"
import { done, formattedStorageOptions, STORAGES } from "../command-options.ts"

export const storageStatsForm = {
  usage: ["storage stats [options]"],
  notes: [STORAGES],
  words: { min: 0, max: 0 },
  options: formattedStorageOptions,
  exitCodes: done,
  examples: [["pawl storage stats", "count sessions, messages, parts and blobs"]],
} as const satisfies CommandForm
