import type { CommandForm } from "../arguments/command.ts"
import { done, storageOptions, STORAGES } from "../command-options.ts"

export const storageRebuildForm = {
  usage: ["storage rebuild [options]"],
  notes: ["Damaged records are set aside, never deleted. Sessions can be worked on meanwhile. " + STORAGES],
  words: { min: 0, max: 0 },
  options: storageOptions,
  exitCodes: done,
  examples: [["pawl storage rebuild", "after pawl storage verify found problems"]],
} as const satisfies CommandForm
