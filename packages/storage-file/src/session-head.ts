import { type Revision, StorageError } from "@pawl/core/storage"
import { lastLogged } from "./change-log.ts"
import type { JournalView } from "./journal.ts"
import { changesPath, isStray, journalPath } from "./layout.ts"
import { toName } from "./record-name.ts"
import type { Store } from "./store.ts"

/** Returns undefined if there is no journal. Throws if a newer pawl wrote the session. */
export function readJournal(store: Store, id: string): JournalView | undefined {
  const view = store.journals.view(journalPath(id))
  if (view?.header && view.header.pawl !== 1) {
    throw new StorageError(`Session ${id} in ${store.root} was written by a newer pawl. Update pawl to open it.`)
  }
  return view
}

/** Returns the last revision of the journal or else of the log; 0 if pawl has written neither. */
export function lastRevision(store: Store, id: string): Revision {
  const view = readJournal(store, id)
  if (view?.removed) return 0
  return view?.commits.at(-1)?.revision ?? lastLogged(store.fs, changesPath(id))
}

/** Returns the revision for readers. Files that another program created count as revision 1. */
export function visibleRevision(store: Store, id: string): Revision {
  return lastRevision(store, id) || (findSession(store, id) === undefined ? 0 : 1)
}

/** Returns the path of the session's file in any project; undefined if it has no file. */
export function findSession(store: Store, id: string): string | undefined {
  const file = `${toName(id)}.json`
  const known = store.projects.get(id)
  if (known !== undefined && store.fs.status(`session/${known}/${file}`)) return `session/${known}/${file}`
  const project = (store.fs.readDirectory("session") ?? []).sort().find((name) => {
    return !isStray(name) && store.fs.status(`session/${name}/${file}`)
  })
  if (project === undefined) {
    store.projects.delete(id)
    return undefined
  }
  store.projects.set(id, project)
  return `session/${project}/${file}`
}
