import { keyOf } from "./call-processes.ts"
import { ownerOfMark } from "./owner.ts"
import { procAutogroup, procStart } from "./proc-rows.ts"
import type { ProcessRow } from "./process-row.ts"

/** A process group in a session with the same id. */
export interface StartedGroup {
  /** Name of the process that started the group. */
  readonly owner: string
  /** Process id of the leader. */
  readonly id: number
  /** Start time of the leader; "" if the system does not report it. */
  readonly start: string
  /** Linux's number of the session, which is never reused; "" if the system has no such numbers. */
  readonly autogroup: string
}

//   <owner>.<id>.<start>.<autogroup>          owner: as `ownerName` gives it
const GROUP = /^([0-9a-f]{16}\.[0-9a-f]{16}\.\d{1,10}\.\d{0,20})\.([1-9]\d{0,9})\.(\d{0,20})\.(\d{0,20})$/

/**
 * Describes the group that a child leads. Call it in the same turn of the event loop as the start, before its id can be
 * reused.
 */
export function startedGroup(owner: string, id: number): StartedGroup {
  return { owner, id, start: procStart(id) ?? "", autogroup: procAutogroup(id) ?? "" }
}

/** Returns a name with all fields, from which `toStartedGroup` restores the group. Valid as a file name. */
export function groupName({ owner, id, start, autogroup }: StartedGroup): string {
  return `${owner}.${id}.${start}.${autogroup}`
}

/** Returns undefined if the name is invalid. */
export function toStartedGroup(name: string): StartedGroup | undefined {
  const [, owner, id, start = "", autogroup = ""] = GROUP.exec(name) ?? []
  return owner === undefined ? undefined : { owner, id: Number(id), start, autogroup }
}

/**
 * Returns the rows in the group or its session, or no rows if its id may have been reused. `known` contains the owner's
 * processes by id and start time.
 *
 * A system does not reuse the id of an existing group or session, and a process enters a session only by fork. So if
 * one member certainly belongs to the owner, all members do.
 */
export function groupMembers(
  rows: readonly ProcessRow[],
  group: StartedGroup,
  known: ReadonlySet<string>,
): readonly ProcessRow[] {
  const members = rows.filter((row) => row.group === group.id || row.session === group.id)
  return members.some((row) => known.has(keyOf(row)) || isProof(row, group)) ? members : []
}

function isProof({ id, start, marks }: ProcessRow, group: StartedGroup): boolean {
  if (group.start !== "" && id === group.id && start === group.start) return true
  if (group.autogroup !== "" && procAutogroup(id) === group.autogroup) return true
  return marks.some((mark) => ownerOfMark(mark) === group.owner)
}
