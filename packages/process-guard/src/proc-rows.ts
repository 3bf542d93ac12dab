import { readdirSync, readFileSync, statSync } from "node:fs"
import { MARK, marksIn } from "./marks.ts"
import type { ProcessRow } from "./process-row.ts"

// Files of /proc are made while they are read, without waiting for a disk: read at once it takes a tenth of the time.

/** Returns the ids of all processes in /proc; empty if there is none. */
export function procIDs(): readonly string[] {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name))
  } catch {
    return []
  }
}

/** Returns undefined if the process has ended. */
export function procRow(id: string): ProcessRow | undefined {
  const [state = "", parent, group, session, ...more] = statusOf(id)
  // A zombie has ended; in a container it may wait long for its parent to take note.
  if (state === "" || "ZX".includes(state)) return undefined
  const marks = marksOf(contentOf(`/proc/${id}/environ`))
  const numbers = { id: Number(id), parent: Number(parent), group: Number(group), session: Number(session) }
  return { ...numbers, start: more[15] ?? "", marks }
}

/** Returns when a process started; undefined if it has ended or /proc is missing. */
export function procStart(id: number): string | undefined {
  return statusOf(String(id))[19]
}

/**
 * Returns the number that the kernel gives each session at its start, for its scheduler. Undefined if the process has ended
 * or the kernel does not number them.
 */
export function procAutogroup(id: number): string | undefined {
  return /^\/autogroup-([1-9]\d*) /.exec(contentOf(`/proc/${id}/autogroup`))?.[1]
}

/** Returns the id of the process's user; undefined if it has ended or /proc is missing. */
export function procUser(id: number): number | undefined {
  try {
    return statSync(`/proc/${id}`).uid
  } catch {
    return undefined
  }
}

/** The fields behind `pid (name)`; the name may hold anything. */
function statusOf(id: string): readonly string[] {
  const status = contentOf(`/proc/${id}/stat`)
  return status === "" ? [] : status.slice(status.lastIndexOf(")") + 2).split(" ")
}

function marksOf(environment: string): readonly string[] {
  if (!environment.includes(`${MARK}=`)) return []
  const entry = environment.split("\0").find((each) => each.startsWith(`${MARK}=`))
  return marksIn(entry?.slice(MARK.length + 1))
}

// Nothing is to be read of processes that ended meanwhile or belong to other users.
function contentOf(path: string): string {
  try {
    return readFileSync(path, "latin1")
  } catch {
    return ""
  }
}
