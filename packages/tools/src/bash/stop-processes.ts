import { setTimeout as delay } from "node:timers/promises"
import { hasCode } from "../paths.ts"
import { callProcesses, type CallMark } from "./call-processes.ts"
import type { ProcessTable } from "./process-table.ts"

/** Milliseconds that what is stopped has to end by itself, unless told otherwise. */
export const STOP_GRACE = 1000
const POLL_MS = 25
// Killed processes are gone at once, unless one hangs in the kernel; then nobody can do more.
const KILL_MS = 500

export interface StopTarget extends CallMark {
  /** The leader stands guard over the others, who die with it: it is not asked to end before they have. */
  readonly isGuarded?: boolean | undefined
}

/**
 * Ends a command with all that it started: the process group of its leader, and on Linux also what left the group but is
 * marked as the call's or below one of its processes. SIGTERM first, SIGKILL after so many milliseconds, 0 being never.
 * Resolves when nothing is left.
 */
export async function stopProcesses(target: StopTarget, table: ProcessTable, grace: number): Promise<void> {
  const isAnyLeft = async (signal: (id: number) => boolean) => {
    const rows = await table.read()
    // Where processes cannot be listed, the group is one target.
    return (rows ? callProcesses(rows, target) : groupOf(target)).map(signal).includes(true)
  }
  // Each is asked once, also one that was started only now; a second SIGTERM could disturb its cleaning up.
  const asked = new Set(target.isGuarded === true ? [target.leader] : [])
  const ask = (id: number) => {
    if (asked.has(id)) return send(id, 0)
    asked.add(id)
    return send(id, "SIGTERM")
  }
  if (await isGoneWithin(grace === 0 ? Infinity : grace, () => isAnyLeft(ask))) return
  await isGoneWithin(KILL_MS, () => isAnyLeft((id) => send(id, "SIGKILL")))
}

function groupOf({ leader }: StopTarget): readonly number[] {
  return leader === undefined ? [] : [-leader]
}

function send(id: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(id, signal)
  } catch (error) {
    // Gone, or not ours to end.
    if (hasCode(error, "ESRCH", "EPERM")) return false
    throw error
  }
}

async function isGoneWithin(milliseconds: number, isLeft: () => Promise<boolean>): Promise<boolean> {
  const end = performance.now() + milliseconds
  // Seen twice: a process that is just starting another program shows no environment for a moment.
  for (let gone = 0; gone < 2;) {
    gone = (await isLeft()) ? 0 : gone + 1
    if (gone === 0 && performance.now() >= end) return false
    if (gone < 2) await delay(POLL_MS)
  }
  return true
}
