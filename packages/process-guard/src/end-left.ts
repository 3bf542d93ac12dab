import { setTimeout as delay } from "node:timers/promises"
import type { ProcessIdentity } from "@pawl/storage-kit"
import { keyOf, withDescendants } from "./call-processes.ts"
import { DEFAULT_GRACE } from "./guardian.ts"
import { lifeOfOwner, ownerName, ownerOfMark } from "./owner.ts"
import { procUser } from "./proc-rows.ts"
import type { ProcessRow } from "./process-row.ts"
import type { ProcessTable } from "./process-table.ts"
import { signalProcess } from "./signal-process.ts"
import { groupMembers, type StartedGroup } from "./started-group.ts"

export interface LeftProcesses {
  /** Returns true for marks of processes to end. */
  readonly isLeft: (mark: string) => boolean
  readonly groups: readonly StartedGroup[]
}

export interface EndLeftDeps {
  readonly table: ProcessTable
  readonly self: ProcessIdentity
  /** Milliseconds between SIGTERM and SIGKILL; 0: SIGKILL is never sent. */
  readonly grace: number
}

const POLL_MS = 25
/** Milliseconds after which the caller continues even if a killed process still exists. */
const KILL_MS = 2000

/**
 * Ends processes with a mark that `isLeft` accepts, members of `groups`, and their descendants. Returns true if none of
 * them runs any more.
 *
 * Does not end processes that belong to another running pawl, which ends them itself. Does not end processes of other
 * users, this process, its ancestors and its children.
 */
export async function endLeft(deps: EndLeftDeps, { isLeft, groups }: LeftProcesses): Promise<boolean> {
  const { table, self, grace } = deps
  const signalled = new Set<string>()
  // A process that loses its parent or its group's leader is recognized only by this.
  const known = new Set<string>()
  const begun = performance.now()
  // Checks twice, because a process that is just executing another program has no readable environment for a moment.
  for (let gone = 0; ;) {
    const rows = await table.read()
    if (!rows) return false
    const members = new Set(groups.flatMap((group) => groupMembers(rows, group, known)))
    const { left, kept } = sorted(rows, self, (row) => {
      return row.marks.some(isLeft) || members.has(row) || known.has(keyOf(row))
    })
    for (const row of left) known.add(keyOf(row))
    gone = left.length > 0 ? 0 : gone + 1
    if (gone === 2) return kept.length === 0
    const took = performance.now() - begun
    if (left.length > 0 && took > (grace || DEFAULT_GRACE) + KILL_MS) return false
    const isLate = grace > 0 && took >= grace
    for (const row of left) {
      const owner = innermostOwner(row)
      if (owner !== undefined && lifeOfOwner(owner, self) === "alive") continue
      if (isLate) signalProcess(row, "SIGKILL")
      else if (!signalled.has(keyOf(row))) signalProcess(row, "SIGTERM")
      signalled.add(keyOf(row))
    }
    await delay(POLL_MS)
  }
}

/** `kept` processes are never ended from here. */
function sorted(rows: readonly ProcessRow[], self: ProcessIdentity, isRoot: (row: ProcessRow) => boolean) {
  if (!rows.some((row) => isRoot(row))) return { left: [], kept: [] }
  const above = selfAndAbove(rows, self.pid)
  const own = ownerName(self)
  const user = process.geteuid?.()
  const isKept = (row: ProcessRow) => {
    return above.has(row.id) || innermostOwner(row) === own || (row.user ?? procUser(row.id) ?? user) !== user
  }
  const left = withDescendants(rows, (row) => isRoot(row) && !above.has(row.id)).filter((row) => !isKept(row))
  return { left, kept: rows.filter((row) => isRoot(row) && isKept(row)) }
}

function selfAndAbove(rows: readonly ProcessRow[], self: number): ReadonlySet<number> {
  const parents = new Map(rows.map(({ id, parent }) => [id, parent]))
  const found = new Set<number>()
  for (let at: number | undefined = self; at !== undefined && !found.has(at); at = parents.get(at)) found.add(at)
  return found
}

/** The outer marks belong to calls in which the process's owner was started. */
function innermostOwner({ marks }: ProcessRow): string | undefined {
  return marks.map(ownerOfMark).findLast((each) => each !== undefined)
}
