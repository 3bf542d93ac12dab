import type { CommandForm } from "../arguments/command.ts"
import { done } from "../command-options.ts"

export const helpForm = {
  usage: ["help [command]"],
  words: { min: 0, max: 2 },
  options: {},
  exitCodes: done,
  examples: [["pawl help run", "the same as pawl run --help"]],
} as const satisfies CommandForm
