import { setTimeout as delay } from "node:timers/promises"
import { hasCode } from "../paths.ts"
import { callProcesses } from "./call-processes.ts"

const GRACE_MS = 1000
const POLL_MS = 25
// Killed processes are gone at once, unless one hangs in the kernel; then nobody can do more.
const KILL_MS = 500

/**
 * Ends a command with all that it started: the process group of `leader`, and on Linux also what left the group but
 * carries `token`. SIGTERM first, SIGKILL after a second. Resolves when nothing is left.
 */
export async function stopProcesses(leader: number, token: string): Promise<void> {
  // Each is asked once, also one that was started only now; a second SIGTERM could disturb its cleaning up.
  const asked = new Set<number>()
  const ask = (target: number) => {
    if (asked.has(target)) return send(target, 0)
    asked.add(target)
    return send(target, "SIGTERM")
  }
  if (await isGoneWithin(GRACE_MS, () => isAnyLeft(leader, token, ask))) return
  await isGoneWithin(KILL_MS, () => isAnyLeft(leader, token, (target) => send(target, "SIGKILL")))
}

/** Signals what is left of the call. */
async function isAnyLeft(leader: number, token: string, signal: (target: number) => boolean): Promise<boolean> {
  const processes = await callProcesses(leader, token)
  // Where processes cannot be listed, the group is one target.
  return (processes ?? [-leader]).map(signal).includes(true)
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
