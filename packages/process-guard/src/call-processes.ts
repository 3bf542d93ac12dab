import type { ProcessRow } from "./process-row.ts"

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
export function callProcesses(rows: readonly ProcessRow[], { leader, token, known }: CallMark): readonly ProcessRow[] {
  const found = withDescendants(rows, (row) => {
    return row.group === leader || row.session === leader || row.marks.includes(token) || known.has(keyOf(row))
  })
  for (const row of found) known.add(keyOf(row))
  return found
}

/** Those of `rows` that are roots or descend from one. */
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
