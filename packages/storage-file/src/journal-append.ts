import { JOURNALS, journalPath } from "./layout.ts"
import type { SessionLock } from "./session-access.ts"
import type { Store } from "./store.ts"

export interface Addition {
  readonly bytes: Uint8Array
  /** Size in bytes of the journal before the append. */
  readonly before: number
  /** True if the append creates the journal. */
  readonly isNew: boolean
}

/**
 * Appends to the journal and syncs it, under the session's lock. If that fails, removes the line again; if that fails
 * too, abandons the lock, and its next owner applies a complete line or cuts off an incomplete one.
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
