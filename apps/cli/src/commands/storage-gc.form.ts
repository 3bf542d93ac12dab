import type { CommandForm } from "../arguments/command.ts"
import { done, formattedStorageOptions, STORAGES } from "../command-options.ts"

export const storageGcOptions = {
  "min-age": { value: "<time>", summary: "keep what is younger (1d unless told), as in 90m, 12h, 7d" },
  ...formattedStorageOptions,
} as const

export const storageGcForm = {
  usage: ["storage gc [options]"],
  notes: [STORAGES],
  words: { min: 0, max: 0 },
  options: storageGcOptions,
  exitCodes: done,
  examples: [["pawl storage gc --min-age 7d", "keep what was stored in the last week in any case"]],
} as const satisfies CommandForm
