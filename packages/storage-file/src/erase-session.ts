import { CHANGES, changesPath, contextPath, journalPath, messageDirectory, parentOf } from "./layout.ts"
import { endLease } from "./lease.ts"
import { listMessages, partsOf } from "./record-directory.ts"
import { readPartFile } from "./record-file.ts"
import { findSession } from "./session-head.ts"
import type { Store } from "./store.ts"

/** Milliseconds of work after which others get their turn. */
const SLICE = 10

/** Under the session's lock, and after its journal says that it is removed: removes all of it. May be done again. */
export async function eraseSession(store: Store, id: string): Promise<void> {
  const { fs } = store
  const touched = new Set(["message", "part", CHANGES])
  for (let path = findSession(store, id); path !== undefined; path = findSession(store, id)) {
    touched.add(parentOf(path))
    fs.remove(path)
  }
  let began = performance.now()
  for (const { id: messageID } of listMessages(store, id).entries) {
    if (messageID !== undefined) removeParts(store, id, messageID)
    if (performance.now() - began < SLICE) continue
    await new Promise((resolve) => setImmediate(resolve))
    began = performance.now()
  }
  removeDirectory(store, messageDirectory(id))
  for (const path of [changesPath(id), contextPath(id)]) fs.remove(path)
  endLease(store, id)
  for (const path of touched) await fs.sync(path)
  fs.truncate(journalPath(id), 0)
  store.journals.forget(journalPath(id))
  store.projects.delete(id)
  store.messageNames.forget(id)
}

function removeParts(store: Store, sessionID: string, messageID: string): void {
  const directory = partsOf(store, sessionID, messageID)
  const [name] = store.fs.readDirectory(directory) ?? []
  const sample = name === undefined ? undefined : readPartFile(store, `${directory}/${name}`, ANY)
  // Another session's message may have the same id, and these parts.
  if (sample?.value !== undefined && sample.value.sessionID !== sessionID) return
  removeDirectory(store, directory)
}

const ANY = { sessionID: undefined, messageID: undefined, id: undefined }

function removeDirectory({ fs }: Store, path: string): void {
  for (const name of fs.readDirectory(path) ?? []) fs.remove(`${path}/${name}`)
  fs.removeDirectory(path)
}
