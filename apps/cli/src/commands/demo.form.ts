import type { CommandForm } from "../arguments/command.ts"
import { format } from "../command-options.ts"

export const demoOptions = {
  keep: { summary: "keep the project and the session" },
  pace: { value: "<factor>", summary: "playback delay factor; 1 = as recorded, 0 = none" },
  ...format,
} as const

export const demoForm = {
  usage: ["demo [options]"],
  notes: [
    "A script plays the model. The repository, the tools, the tests and the stored session are real. " +
      "Everything is removed at the end unless --keep is passed.",
  ],
  words: { min: 0, max: 0 },
  options: demoOptions,
  examples: [
    ["pawl demo", "watch at a readable pace"],
    ["pawl demo --keep --pace 0", "run without pauses and keep the result"],
  ],
} as const satisfies CommandForm
