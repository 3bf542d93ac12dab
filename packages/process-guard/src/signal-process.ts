import { procStart } from "./proc-rows.ts"
import type { ProcessRow } from "./process-row.ts"

/** Start times in /proc are ticks since boot. Those of `ps` are dates, which are not checked again. */
const TICKS = /^\d+$/

/** Returns false if the process has ended, its id was reused, or it may not be signalled. */
export function signalProcess({ id, start }: ProcessRow, name: NodeJS.Signals | 0): boolean {
  if (TICKS.test(start) && procStart(id) !== start) return false
  try {
    return process.kill(id, name)
  } catch {
    return false
  }
}
