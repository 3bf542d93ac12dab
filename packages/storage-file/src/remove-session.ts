import type { SessionID } from "@pawl/core/storage"
import { eraseSession } from "./erase-session.ts"
import { entryLine } from "./journal.ts"
import { appendDurably } from "./journal-append.ts"
import { mendJournal } from "./mend-journal.ts"
import { newHeaderLine } from "./retire.ts"
import { exclusively } from "./session-access.ts"
import { findSession, lastRevision, readJournal } from "./session-head.ts"
import type { SessionIndex } from "./session-index.ts"
import type { Store } from "./store.ts"

/**
 * Removes the session and its descendants, deepest first, so that an interrupted removal can be repeated. Does nothing
 * if the session is missing, even if other sessions name it as their parent. Calls `onRemoved` for each removed
 * session.
 */
export async function removeSessionTree(
  store: Store,
  index: SessionIndex,
  id: SessionID,
  onRemoved: (id: SessionID) => void,
): Promise<void> {
  if (!isThere(store, id)) return
  for (const each of [...tree(index, id)].toReversed()) {
    if (await removeOne(store, each)) onRemoved(each)
  }
}

function tree(index: SessionIndex, id: SessionID): Set<SessionID> {
  const ids = new Set([id])
  const heads = index.files().flatMap((file) => index.head(file) ?? [])
  for (const parent of ids) {
    for (const head of heads) if (head.parentID === parent) ids.add(head.id)
  }
  return ids
}

function isThere(store: Store, id: SessionID): boolean {
  return findSession(store, id) !== undefined || lastRevision(store, id) > 0
}

/** Returns false if the session is missing. */
function removeOne(store: Store, id: SessionID): Promise<boolean> {
  return exclusively(store, id, async (lock) => {
    if (!isThere(store, id)) return false
    mendJournal(store, id)
    const view = readJournal(store, id)
    const before = view?.end ?? 0
    const bytes = Buffer.from((before === 0 ? newHeaderLine(store, id) : "") + entryLine({ removed: true }))
    await appendDurably(store, id, { bytes, before, isNew: !view }, lock)
    try {
      await eraseSession(store, id)
    } catch (error) {
      lock.abandon()
      throw error
    }
    return true
  })
}
