import { compactedLog } from "./compact-log.ts"
import { exclusively } from "./session-access.ts"
import { journalPath } from "./layout.ts"
import { isCommit } from "./journal.ts"
import { retire, syncFiles } from "./retire.ts"
import type { Store } from "./store.ts"

/**
 * Syncs the files of the journal's commits, moves these commits to the change log and ends the journal. Compacts the
 * log if it has grown much. Does not hold the lock during the sync; commits made meanwhile stay in the journal.
 */
export async function checkpoint(store: Store, id: string): Promise<void> {
  const path = journalPath(id)
  const header = store.journals.view(path)?.header
  if (!header) return
  const synced = store.journals.entries(path).filter(isCommit)
  await syncFiles(store.fs, synced)
  const log = await compactedLog(store, id)
  try {
    await exclusively(store, id, async () => {
      const view = store.journals.view(path)
      // Another process made the checkpoint first, or the session was removed.
      if (view?.header?.token !== header.token || view.removed) return
      await log?.place()
      await retire(store, id, synced.at(-1)?.revision)
    })
  } finally {
    log?.discard()
  }
}
