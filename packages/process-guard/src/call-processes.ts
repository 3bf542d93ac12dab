import type { ProcessRow } from "./process-row.ts"

/** Identifies a call's processes. */
export interface CallMark {
  /** Process that the call started, the leader of its group. Undefined when its id may have been reused. */
  readonly leader: number | undefined
  /** Token in the environment of the call's processes. */
  readonly token: string
  /** Processes seen so far, by id and start time. A process that loses its parent is recognized only by this. */
  readonly known: Set<string>
}

/**
 * Returns those rows that belong to the call: in the leader's process group or session, marked with the token, seen
 * before, or descendants of these. Remembers them.
 */
export function callProcesses(rows: readonly ProcessRow[], { leader, token, known }: CallMark): readonly ProcessRow[] {
  const found = withDescendants(rows, (row) => {
    return row.group === leader || row.session === leader || row.marks.includes(token) || known.has(keyOf(row))
  })
  for (const row of found) known.add(keyOf(row))
  return found
}

/** Returns those rows that are roots or descendants of a root. */
export function withDescendants(
  rows: readonly ProcessRow[],
  isRoot: (row: ProcessRow) => boolean,
): readonly ProcessRow[] {
  const found = new Set(rows.filter((row) => isRoot(row)))
  const ids = new Set([...found].map(({ id }) => id))
  for (let before = -1; before !== found.size;) {
    before = found.size
    for (const row of rows) {
      if (found.has(row) || !ids.has(row.parent)) continue
      found.add(row)
      ids.add(row.id)
    }
  }
  return [...found]
}

export function keyOf({ id, start }: ProcessRow): string {
  return `${id} ${start}`
}
