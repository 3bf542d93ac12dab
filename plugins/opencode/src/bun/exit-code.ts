import { constants } from "node:os"

/** A process's exit code as shells tell it: what a signal has ended has 128 and the signal's number. */
export function exitCodeOf(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? 128 + (signal ? constants.signals[signal] : 0)
}
