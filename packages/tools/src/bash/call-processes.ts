import { MARK, type ProcessRow } from "./process-table.ts"

/** The variable that a call's processes carry, also when this engine runs inside of another call. */
export function markFor(token: string, environment: Readonly<Record<string, string>>): Record<string, string> {
  const outer = environment[MARK]
  return { [MARK]: outer ? `${outer}:${token}` : token }
}

/** How a call's processes are told from others. */
export interface CallMark {
  /** The process that the call started, the leader of its group. Undefined once its id may be another's. */
  readonly leader: number | undefined
  /** What its processes carry in their environment. */
  readonly token: string
  /** Those that were seen, by id and start: a process that loses its parent is known by that alone. Grows. */
  readonly known: Set<string>
}

/**
 * Those of `rows` that belong to the call: in the leader's process group or session, marked with its token, seen before,
 * or below one of these. Remembers them.
 */
export function callProcesses(rows: readonly ProcessRow[], { leader, token, known }: CallMark): readonly number[] {
  const found = rows.filter((row) => {
    return row.group === leader || row.session === leader || row.calls.includes(token) || known.has(keyOf(row))
  })
  const ids = new Set(found.map((row) => row.id))
  for (const row of found) known.add(keyOf(row))
  for (let before = -1; before !== ids.size;) {
    before = ids.size
    for (const row of rows) {
      if (ids.has(row.id) || !ids.has(row.parent)) continue
      ids.add(row.id)
      known.add(keyOf(row))
    }
  }
  return [...ids]
}

function keyOf({ id, start }: ProcessRow): string {
  return `${id} ${start}`
}
