import type { CommandForm } from "../arguments/command.ts"
import { format } from "../command-options.ts"

export const demoOptions = {
  keep: { summary: "leave the project and the session where they are" },
  pace: { value: "<factor>", summary: "how slowly the model plays: 1 as recorded, 0 without pauses" },
  ...format,
} as const

export const demoForm = {
  usage: ["demo [options]"],
  notes: [
    "The model is played from a script; the repository, the tools, the tests and the stored session are real. " +
      "Everything is removed at the end unless it is to be kept.",
  ],
  words: { min: 0, max: 0 },
  options: demoOptions,
  examples: [
    ["pawl demo", "at a pace that can be followed"],
    ["pawl demo --keep --pace 0", "at once, and keep the result to look at"],
  ],
} as const satisfies CommandForm
