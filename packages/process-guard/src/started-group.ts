import { keyOf } from "./call-processes.ts"
import { ownerOfMark } from "./owner.ts"
import { procAutogroup, procStart } from "./proc-rows.ts"
import type { ProcessRow } from "./process-row.ts"

/** A process group that a process has started, in a session of the same id. */
export interface StartedGroup {
  /** Names the process that has started it. */
  readonly owner: string
  /** The process id of the leader. */
  readonly id: number
  /** When the leader started; "" if the system does not show it. */
  readonly start: string
  /** Linux's number for the session, which is never given to another one; "" if the system has no such numbers. */
  readonly autogroup: string
}

//   <owner>.<id>.<start>.<autogroup>          owner: as `ownerName` gives it
const GROUP = /^([0-9a-f]{16}\.[0-9a-f]{16}\.\d{1,10}\.\d{0,20})\.([1-9]\d{0,9})\.(\d{0,20})\.(\d{0,20})$/

/** Describes the group that a child leads. Call it in the turn that starts the child: later its id may be another's. */
export function startedGroup(owner: string, id: number): StartedGroup {
  return { owner, id, start: procStart(id) ?? "", autogroup: procAutogroup(id) ?? "" }
}

/** Names the group with everything that `toStartedGroup` reads. The form of a file name. */
export function groupName({ owner, id, start, autogroup }: StartedGroup): string {
  return `${owner}.${id}.${start}.${autogroup}`
}

/** Returns undefined for a name of another form. */
export function toStartedGroup(name: string): StartedGroup | undefined {
  const [, owner, id, start = "", autogroup = ""] = GROUP.exec(name) ?? []
  return owner === undefined ? undefined : { owner, id: Number(id), start, autogroup }
}

/**
 * Returns the rows in the group or its session, or no rows if its id may be another group's by now. `known` holds processes
 * that belong to the owner, by id and start.
 *
 * A system does not reuse an id while a group or a session has it, and a process enters a session of others only by its
 * birth. So one member that is certainly the owner's proves that all are.
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
