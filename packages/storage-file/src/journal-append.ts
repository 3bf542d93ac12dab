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
 * Under the session's lock: adds to the journal, durably. Where that fails it is taken back; where even that fails, the
 * lock is abandoned, and whoever comes next finds the line whole and finishes it, or torn and cuts it off.
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
