import type { CommandForm } from "../arguments/command.ts"
import { formattedStorageOptions, STORAGES } from "../command-options.ts"

export const storageVerifyForm = {
  usage: ["storage verify [options]"],
  notes: ["Nothing is changed. " + STORAGES],
  words: { min: 0, max: 0 },
  options: formattedStorageOptions,
  exitCodes: { 0: "everything is as it should be", 1: "problems were found, or it failed" },
  examples: [["pawl storage verify || pawl storage rebuild", "in a nightly job"]],
} as const satisfies CommandForm
