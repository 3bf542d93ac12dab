import { setTimeout as delay } from "node:timers/promises"
import { serverProcesses } from "./marked-processes.ts"

/** Milliseconds: for a server to end by itself, to heed SIGTERM, and for the system to end what was killed. */
const GRACE = { own: 400, terminate: 700, kill: 500 } as const
/** Between two looks, at first and at most: each goes through all processes of the machine. */
const POLL = { first: 10, most: 100 } as const

/** Which processes are to end: those in the group, and on Linux those that carry the mark wherever they went. */
export interface EndTarget {
  readonly group: number
  readonly mark: string
}

/** Ends a server whose standard input was closed, with all that it started. Resolves when nothing is left, within 2 s. */
export async function endProcesses(target: EndTarget): Promise<void> {
  if (await isGone(target, GRACE.own)) return
  signal(target, "SIGTERM")
  if (await isGone(target, GRACE.terminate)) return
  const end = performance.now() + GRACE.kill
  do {
    signal(target, "SIGKILL")
    await delay(POLL.first)
  } while (isAlive(target) && performance.now() < end)
}

async function isGone(target: EndTarget, patience: number): Promise<boolean> {
  const end = performance.now() + patience
  for (let poll: number = POLL.first; isAlive(target); poll = Math.min(poll * 1.5, POLL.most)) {
    const left = end - performance.now()
    if (left <= 0) return false
    await delay(Math.min(poll, left))
  }
  return true
}

function isAlive({ group, mark }: EndTarget): boolean {
  if (process.platform === "linux") return serverProcesses(group, mark).length > 0
  return send(process.platform === "win32" ? group : -group, 0)
}

function signal({ group, mark }: EndTarget, name: "SIGTERM" | "SIGKILL"): void {
  if (process.platform === "win32") send(group, name)
  else send(-group, name)
  for (const id of serverProcesses(group, mark)) send(id, name)
}

/** Whether there was somebody to send it to. */
function send(id: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(id, name)
  } catch {
    return false
  }
}
