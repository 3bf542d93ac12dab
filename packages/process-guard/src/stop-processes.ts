import { setTimeout as delay } from "node:timers/promises"
import { callProcesses, type CallMark, keyOf } from "./call-processes.ts"
import type { ProcessRow } from "./process-row.ts"
import type { ProcessTable } from "./process-table.ts"
import { signalProcess } from "./signal-process.ts"

const POLL_MS = 25
const AGAIN_MS = 10
// Killed processes vanish at once, unless one hangs in the kernel, which cannot be helped.
const KILL_MS = 500

export interface StopOptions {
  /** The leader supervises the others, which die with it, so it gets SIGTERM last. */
  readonly isGuarded?: boolean
  /** Milliseconds to wait before the first signal. Default: 0. */
  readonly wait?: number
}

/**
 * Ends a call's processes: the leader's process group and, if the system lists processes, also those outside of the
 * group that are marked with the call or are descendants. Sends SIGTERM first, SIGKILL after `grace` milliseconds (0:
 * never). Resolves when none are left.
 */
export async function stopProcesses(
  target: CallMark,
  table: ProcessTable,
  grace: number,
  { isGuarded = false, wait = 0 }: StopOptions = {},
): Promise<void> {
  const isAnyLeft = async (signal: (row: ProcessRow) => boolean) => {
    const rows = await table.read()
    // If processes cannot be listed, the group is signalled as one.
    return (rows ? callProcesses(rows, target) : groupOf(target)).map(signal).includes(true)
  }
  // Each process gets one SIGTERM, because a second one could disturb its cleanup. New processes get one too.
  const signalled = new Set<string>()
  const ask = (row: ProcessRow) => {
    const isWaiting = signalled.has(keyOf(row)) || (isGuarded && row.id === target.leader)
    signalled.add(keyOf(row))
    return signalProcess(row, isWaiting ? 0 : "SIGTERM")
  }
  if (wait > 0 && (await isGoneWithin(wait, () => isAnyLeft((row) => signalProcess(row, 0))))) return
  if (await isGoneWithin(grace === 0 ? Infinity : grace, () => isAnyLeft(ask))) return
  await isGoneWithin(KILL_MS, () => isAnyLeft((row) => signalProcess(row, "SIGKILL")))
}

function groupOf({ leader }: CallMark): readonly ProcessRow[] {
  if (leader === undefined) return []
  // Windows has no process groups.
  const id = process.platform === "win32" ? leader : -leader
  return [{ id, parent: 0, group: leader, session: 0, start: "", marks: [] }]
}

async function isGoneWithin(milliseconds: number, isLeft: () => Promise<boolean>): Promise<boolean> {
  const end = performance.now() + milliseconds
  // Checks twice, because a process that is just executing another program has no readable environment for a moment.
  for (let gone = 0; gone < 2;) {
    gone = (await isLeft()) ? 0 : gone + 1
    if (gone === 0 && performance.now() >= end) return false
    if (gone < 2) await delay(gone === 0 ? POLL_MS : AGAIN_MS)
  }
  return true
}
