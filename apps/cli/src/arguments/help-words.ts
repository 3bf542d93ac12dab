import type { CommandName } from "./command.ts"
import { commandsOf } from "./find-command.ts"

/**
 * Returns the command's words if --help or -h is among the arguments, whose command comes first; empty for the overview.
 * Undefined without them.
 */
export function helpWords(commands: readonly CommandName[], args: readonly string[]): readonly string[] | undefined {
  const end = args.indexOf("--")
  const flags = end < 0 ? args : args.slice(0, end)
  if (!flags.includes("--help") && !flags.includes("-h")) return undefined
  // Only words before the first option can name a command.
  const words = flags.slice(
    0,
    flags.findIndex((word) => word.startsWith("-")),
  )
  const [first = "", second] = words
  const isGroup = commandsOf(commands, first).length > 0
  return isGroup && second !== undefined ? [first, second] : words.slice(0, 1)
}
