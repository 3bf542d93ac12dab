import { procStart } from "./proc-rows.ts"
import type { ProcessRow } from "./process-row.ts"

/** Of /proc: ticks since the boot. `ps` tells a date, which is not looked up again. */
const TICKS = /^\d+$/

/** Returns false if the process has ended, its id is another's by now, or it may not be signalled. */
export function signalProcess({ id, start }: ProcessRow, name: NodeJS.Signals | 0): boolean {
  if (TICKS.test(start) && procStart(id) !== start) return false
  try {
    return process.kill(id, name)
  } catch {
    return false
  }
}
