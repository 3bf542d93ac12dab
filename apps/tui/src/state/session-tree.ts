import type { Session } from "@pawl/core"

export interface TreeRow {
  readonly session: Session
  /** 0 for sessions without one above. */
  readonly depth: number
}

/** Puts sessions in the order of a tree: subagents below their parent, and forks below the session that they are named after. */
export function sessionTree(sessions: readonly Session[]): TreeRow[] {
  const above = new Map(sessions.map((session) => [session.id, parentOf(session, sessions)]))
  const rows: TreeRow[] = []
  const seen = new Set<string>()
  const add = (session: Session, depth: number) => {
    if (seen.has(session.id)) return
    seen.add(session.id)
    rows.push({ session, depth })
    for (const each of sessions) if (above.get(each.id) === session.id) add(each, depth + 1)
  }
  for (const session of sessions) if (above.get(session.id) === undefined) add(session, 0)
  // A cycle has no beginning.
  for (const session of sessions) add(session, 0)
  return rows
}

/** Returns the tree that a session is in. */
export function familyOf(id: string, rows: readonly TreeRow[]): TreeRow[] {
  const at = rows.findIndex(({ session }) => session.id === id)
  if (at < 0) return []
  const first = rows.findLastIndex(({ depth }, index) => index <= at && depth === 0)
  const next = rows.findIndex(({ depth }, index) => index > first && depth === 0)
  return rows.slice(Math.max(first, 0), next < 0 ? undefined : next)
}

const FORK = / \(fork #\d+\)$/

function parentOf({ id, parentID, title }: Session, sessions: readonly Session[]): string | undefined {
  if (parentID !== undefined) return sessions.some((each) => each.id === parentID) ? parentID : undefined
  if (!FORK.test(title)) return undefined
  const source = title.replace(FORK, "")
  return sessions.find((each) => each.id !== id && each.parentID === undefined && each.title === source)?.id
}
