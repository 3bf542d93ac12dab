import type { CommandForm } from "../arguments/command.ts"
import { format } from "../command-options.ts"

export const doctorOptions = { ...format } as const

export const doctorForm = {
  usage: ["doctor [options]"],
  notes: [
    "Looks at what pawl needs here: Node, git, ripgrep, the configuration, the storage, models and their servers, the sandbox. " +
      "Nothing is changed, but that a storage is made where there is none. ✓ is there, – is missing and can be done without, ✗ has to be mended.",
  ],
  words: { min: 0, max: 0 },
  options: doctorOptions,
  exitCodes: { 0: "all that is needed is there", 1: "something has to be mended" },
  examples: [
    ["pawl doctor", "when something does not work"],
    ["pawl doctor --format json", "for a program: one JSON object a line"],
  ],
} as const satisfies CommandForm
