import type { CommandForm } from "../arguments/command.ts"
import { formattedStorageOptions, STORAGES } from "../command-options.ts"

export const storageVerifyForm = {
  usage: ["storage verify [options]"],
  notes: ["Nothing is changed. " + STORAGES],
  words: { min: 0, max: 0 },
  options: formattedStorageOptions,
  exitCodes: { 0: "no problems were found", 1: "problems were found, or the check failed" },
  examples: [["pawl storage verify || pawl storage rebuild", "check and repair in a nightly job"]],
} as const satisfies CommandForm
