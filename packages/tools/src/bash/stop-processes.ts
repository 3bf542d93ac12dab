import { setTimeout as delay } from "node:timers/promises"
import { hasCode } from "../paths.ts"
import { callProcesses } from "./call-processes.ts"

const GRACE_MS = 1000
const POLL_MS = 50
// Killed processes are gone at once, unless one hangs in the kernel; then nobody can do more.
const KILL_MS = 500

/**
 * Ends a command with all that it started: the process group of `leader`, and on Linux also what left the group but
 * carries `token`. SIGTERM first, SIGKILL after a second. Resolves when nothing is left.
 */
export async function stopProcesses(leader: number, token: string): Promise<void> {
  await signalAll(leader, token, "SIGTERM")
  if (await isGoneWithin(GRACE_MS, () => signalAll(leader, token, 0))) return
  // Again and again: a process may have forked while its parent was being killed.
  await isGoneWithin(KILL_MS, () => signalAll(leader, token, "SIGKILL"))
}

/** Is anything left that took the signal? 0 only asks. */
async function signalAll(leader: number, token: string, signal: NodeJS.Signals | 0): Promise<boolean> {
  const processes = await callProcesses(leader, token)
  if (!processes) return send(-leader, signal)
  return processes.map((id) => send(id, signal)).includes(true)
}

function send(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(target, signal)
  } catch (error) {
    // Gone, or not ours to end.
    if (hasCode(error, "ESRCH", "EPERM")) return false
    throw error
  }
}

async function isGoneWithin(milliseconds: number, isAnyLeft: () => Promise<boolean>): Promise<boolean> {
  const end = performance.now() + milliseconds
  while (await isAnyLeft()) {
    if (performance.now() >= end) return false
    await delay(POLL_MS)
  }
  return true
}
