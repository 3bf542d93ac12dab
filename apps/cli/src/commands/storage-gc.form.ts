import type { CommandForm } from "../arguments/command.ts"
import { done, formattedStorageOptions, STORAGES } from "../command-options.ts"

export const storageGcOptions = {
  "min-age": { value: "<time>", summary: "keep younger data, such as 90m, 12h or 7d (default: 1d)" },
  ...formattedStorageOptions,
} as const

export const storageGcForm = {
  usage: ["storage gc [options]"],
  notes: [STORAGES],
  words: { min: 0, max: 0 },
  options: storageGcOptions,
  exitCodes: done,
  examples: [["pawl storage gc --min-age 7d", "keep everything stored in the last week"]],
} as const satisfies CommandForm
