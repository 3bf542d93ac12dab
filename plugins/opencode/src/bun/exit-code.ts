import { constants } from "node:os"

/** Returns a process's exit code as shells do: after a signal it is 128 plus the signal's number. */
export function exitCodeOf(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? 128 + (signal ? constants.signals[signal] : 0)
}
