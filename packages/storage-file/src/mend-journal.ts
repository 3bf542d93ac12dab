import { makeParents } from "./make-parents.ts"
import { JOURNALS, journalPath, QUARANTINE } from "./layout.ts"
import { readJournal } from "./session-head.ts"
import type { Store } from "./store.ts"

/**
 * Cuts off an invalid end of the journal, under the session's lock. One incomplete line is a commit that was never
 * acknowledged. If there is more, the journal was damaged, and a copy is kept in the quarantine.
 */
export function mendJournal(store: Store, id: string): void {
  const view = readJournal(store, id)
  if (!view || view.size === view.end) return
  const path = journalPath(id)
  if (store.fs.readRange(path, view.end, view.size - view.end).includes(10)) {
    const copy = `${QUARANTINE}/${path.slice(JOURNALS.length - "journal".length)}-${Date.now()}`
    makeParents(store.fs, copy)
    store.fs.write(copy, store.fs.readFile(path) ?? Buffer.alloc(0))
  }
  store.fs.truncate(path, view.end)
  store.journals.forget(path)
}
