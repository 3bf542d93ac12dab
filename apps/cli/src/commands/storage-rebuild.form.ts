import type { CommandForm } from "../arguments/command.ts"
import { done, storageOptions, STORAGES } from "../command-options.ts"

export const storageRebuildForm = {
  usage: ["storage rebuild [options]"],
  notes: ["Damaged records are moved aside, never deleted. Sessions can run meanwhile. " + STORAGES],
  words: { min: 0, max: 0 },
  options: storageOptions,
  exitCodes: done,
  examples: [["pawl storage rebuild", "fix problems that pawl storage verify reported"]],
} as const satisfies CommandForm
