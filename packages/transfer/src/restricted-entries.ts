import type { Session, SessionID, Storage } from "@pawl/core/storage"
import { entryHash, restrictedEntry } from "./document-sessions.ts"
import type { SessionEntry } from "./document.ts"
import type { Dropped } from "./dropped.ts"
import { recordHash } from "./record-hash.ts"
import type { Continuation } from "./restriction.ts"

type Reader = Pick<Storage, "getSession" | "readMessages">

/**
 * Restricts the entries of a foreign document for storing. A session that is stored with the same content stays
 * unchanged.
 */
export async function restrictedEntries(
  storage: Reader,
  entries: readonly SessionEntry[],
  here: Continuation,
): Promise<{ readonly entries: readonly SessionEntry[]; readonly dropped: readonly Dropped[] }> {
  const stored = new Set<SessionID>()
  for (const entry of entries) if (await isStored(storage, entry)) stored.add(entry.session.id)
  const parents = new Map(entries.map(({ session }) => [session.id, session.parentID]))
  const all: SessionEntry[] = []
  const dropped: Dropped[] = []
  for (const entry of entries) {
    if (stored.has(entry.session.id)) {
      all.push(entry)
      continue
    }
    const restricted = restrictedEntry(entry, here)
    const { parentID, ...root } = restricted.entry.session
    const mayStay = parentID === undefined || (await isParent(storage, parentID, { parents, stored }))
    all.push(mayStay ? restricted.entry : { ...restricted.entry, session: root })
    dropped.push(...restricted.dropped)
    if (!mayStay && (await storage.getSession(parentID))) {
      dropped.push({ sessionID: root.id, kind: "parent", what: parentID })
    }
  }
  return { entries: all, dropped }
}

interface SessionLinks {
  /** Parents of the document's sessions. */
  readonly parents: ReadonlyMap<SessionID, SessionID | undefined>
  readonly stored: ReadonlySet<SessionID>
}

/** A user's approval applies to all child sessions, so a foreign session must not become a child of a stored one. */
async function isParent(storage: Reader, id: SessionID, { parents, stored }: SessionLinks): Promise<boolean> {
  if (!parents.has(id)) return false
  let top = id
  for (
    let next = parents.get(top);
    !stored.has(top) && next !== undefined && parents.has(next);
    next = parents.get(top)
  ) {
    top = next
  }
  if (!stored.has(top)) return true
  let root: Session | undefined = await storage.getSession(top)
  for (let above = root; above;) {
    root = above
    above = above.parentID === undefined ? undefined : await storage.getSession(above.parentID)
  }
  return (root?.approvals ?? []).length === 0
}

async function isStored(storage: Reader, entry: SessionEntry): Promise<boolean> {
  const { id } = entry.session
  return (await storage.getSession(id)) !== undefined && (await recordHash(storage, id)) === entryHash(entry)
}
