import type { ChosenCommand } from "./find-command.ts"

/** Returns true for the built-in `/compact`, which summarizes the session and sends no prompt. */
export function isCompaction(command: ChosenCommand | undefined): boolean {
  return command?.command.does === "compact"
}
