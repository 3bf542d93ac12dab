import { compactedLog } from "./compact-log.ts"
import { exclusively } from "./session-access.ts"
import { journalPath } from "./layout.ts"
import { isCommit } from "./journal.ts"
import { retire, syncFiles } from "./retire.ts"
import type { Store } from "./store.ts"

/**
 * Brings the files of the journal's commits onto the disk and ends the journal: its commits go to the log of changes.
 * The log is made anew where it has grown much. The files are synced without the lock, so that commits go on meanwhile; what they wrote stays in the journal.
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
      // Another process was faster, or the session is gone.
      if (view?.header?.token !== header.token || view.removed) return
      await log?.place()
      await retire(store, id, synced.at(-1)?.revision)
    })
  } finally {
    log?.discard()
  }
}
