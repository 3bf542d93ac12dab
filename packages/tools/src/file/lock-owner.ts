import { readFileSync, readlinkSync } from "node:fs"
import { hasCode } from "../system-error.ts"

/** A process that holds a lock. */
export interface LockOwner {
  readonly id: number
  /** When it started, in the system's ticks; empty where the system does not tell. */
  readonly start: string
  /** Among which processes the id counts; empty where there is but one kind. */
  readonly namespace: string
  /** The same in one text without a blank at its ends, as `ownerIn` reads it. */
  readonly text: string
}

/** This process. */
export function lockOwner(): LockOwner {
  const [namespace, start] = [namespaceOfThis(), startOf(process.pid)]
  return { id: process.pid, start, namespace, text: `${process.pid} ${start || "-"} ${namespace || "-"}` }
}

/** The owner that a text begins with; undefined where it names none. */
export function ownerIn(text: string): LockOwner | undefined {
  const [, found, id, start, namespace] = /^((\d+) (\S+) (\S+))(?: |$)/.exec(text) ?? []
  if (found === undefined || start === undefined || namespace === undefined) return undefined
  const known = (part: string) => (part === "-" ? "" : part)
  return { id: Number(id), start: known(start), namespace: known(namespace), text: found }
}

/** Whether a process has ended, as seen from `self`; undefined where that cannot be seen from there. */
export function isGone({ id, start, namespace }: LockOwner, self: LockOwner): boolean | undefined {
  if (namespace !== self.namespace) return undefined
  if (!isAlive(id)) return true
  const now = startOf(id)
  // Another process may have got its id.
  return now !== "" && start !== "" && now !== start
}

function isAlive(id: number): boolean {
  try {
    return process.kill(id, 0)
  } catch (error) {
    return !hasCode(error, "ESRCH")
  }
}

function startOf(id: number): string {
  try {
    const status = readFileSync(`/proc/${id}/stat`, "latin1")
    return status.slice(status.lastIndexOf(")") + 2).split(" ")[19] ?? ""
  } catch {
    return ""
  }
}

function namespaceOfThis(): string {
  try {
    return readlinkSync("/proc/self/ns/pid")
  } catch {
    return ""
  }
}
