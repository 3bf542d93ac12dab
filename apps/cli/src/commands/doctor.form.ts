import type { CommandForm } from "../arguments/command.ts"
import { format } from "../command-options.ts"

export const doctorOptions = { ...format } as const

export const doctorForm = {
  usage: ["doctor [options]"],
  notes: [
    "Checks Node, git, ripgrep, the configuration, the storage, models and their servers, and the sandbox. " +
      "Creates the storage if it does not exist; changes nothing else. ✓ found, – missing but optional, ✗ must be fixed.",
  ],
  words: { min: 0, max: 0 },
  options: doctorOptions,
  exitCodes: { 0: "everything required was found", 1: "something must be fixed" },
  examples: [
    ["pawl doctor", "find out why something does not work"],
    ["pawl doctor --format json", "print one JSON object per line"],
  ],
} as const satisfies CommandForm
