import { setTimeout as delay } from "node:timers/promises"
import { callProcesses, type CallMark, keyOf } from "./call-processes.ts"
import type { ProcessRow } from "./process-row.ts"
import type { ProcessTable } from "./process-table.ts"
import { signalProcess } from "./signal-process.ts"

const POLL_MS = 25
const AGAIN_MS = 10
// Killed processes are gone at once, unless one hangs in the kernel; then nobody can do more.
const KILL_MS = 500

export interface StopOptions {
  /** The leader stands guard over the others, who die with it: it is not asked to end before they have. */
  readonly isGuarded?: boolean
  /** Milliseconds that it has to end unasked. Default: 0. */
  readonly wait?: number
}

/**
 * Ends what was started with all that it started: the process group of its leader, and where the system shows them also
 * what left the group but is marked as the call's or below one of its processes. SIGTERM first, SIGKILL after `grace`
 * milliseconds, 0 being never. Resolves when nothing is left.
 */
export async function stopProcesses(
  target: CallMark,
  table: ProcessTable,
  grace: number,
  { isGuarded = false, wait = 0 }: StopOptions = {},
): Promise<void> {
  const isAnyLeft = async (signal: (row: ProcessRow) => boolean) => {
    const rows = await table.read()
    // Where processes cannot be listed, the group is one target.
    return (rows ? callProcesses(rows, target) : groupOf(target)).map(signal).includes(true)
  }
  // Each is asked once, also one that was started only now; a second SIGTERM could disturb its cleaning up.
  const asked = new Set<string>()
  const ask = (row: ProcessRow) => {
    const isWaiting = asked.has(keyOf(row)) || (isGuarded && row.id === target.leader)
    asked.add(keyOf(row))
    return signalProcess(row, isWaiting ? 0 : "SIGTERM")
  }
  if (wait > 0 && (await isGoneWithin(wait, () => isAnyLeft((row) => signalProcess(row, 0))))) return
  if (await isGoneWithin(grace === 0 ? Infinity : grace, () => isAnyLeft(ask))) return
  await isGoneWithin(KILL_MS, () => isAnyLeft((row) => signalProcess(row, "SIGKILL")))
}

function groupOf({ leader }: CallMark): readonly ProcessRow[] {
  if (leader === undefined) return []
  // Windows has no groups.
  const id = process.platform === "win32" ? leader : -leader
  return [{ id, parent: 0, group: leader, session: 0, start: "", marks: [] }]
}

async function isGoneWithin(milliseconds: number, isLeft: () => Promise<boolean>): Promise<boolean> {
  const end = performance.now() + milliseconds
  // Seen twice: a process that is just starting another program shows no environment for a moment.
  for (let gone = 0; gone < 2;) {
    gone = (await isLeft()) ? 0 : gone + 1
    if (gone === 0 && performance.now() >= end) return false
    if (gone < 2) await delay(gone === 0 ? POLL_MS : AGAIN_MS)
  }
  return true
}
