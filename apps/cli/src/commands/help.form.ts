import type { CommandForm } from "../arguments/command.ts"
import { done } from "../command-options.ts"

export const helpOptions = {
  all: { summary: "list all commands, options and environment variables" },
} as const

export const helpForm = {
  usage: ["help [command]", "help --all"],
  words: { min: 0, max: 2 },
  options: helpOptions,
  exitCodes: done,
  examples: [
    ["pawl help run", "show the help of pawl run"],
    ["pawl help --all", "list all commands"],
  ],
} as const satisfies CommandForm
