import { JOURNALS, journalPath } from "./layout.ts"
import type { SessionLock } from "./session-access.ts"
import type { Store } from "./store.ts"

export interface Addition {
  readonly bytes: Uint8Array
  /** The journal's size before. */
  readonly before: number
  /** The journal is made by it. */
  readonly isNew: boolean
}

/**
 * Appends to the journal, durably, under the session's lock. If that fails, removes the line again; if that fails too,
 * abandons the lock, and the next owner completes a whole line or cuts off a torn one.
 */
export async function appendDurably(
  { fs, isSync }: Store,
  id: string,
  { bytes, before, isNew }: Addition,
  lock: SessionLock,
): Promise<void> {
  const path = journalPath(id)
  try {
    fs.append(path, bytes)
    if (isSync) await fs.sync(path)
    if (isSync && isNew) await fs.sync(JOURNALS)
  } catch (error) {
    try {
      if (fs.status(path)) fs.truncate(path, before)
    } catch {
      lock.abandon()
    }
    throw error
  }
}
