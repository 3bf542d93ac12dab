import { lastChanges } from "./apply.ts"
import type { JournalCommit } from "./journal.ts"
import { CHANGES, changesPath, contextPath, journalPath, messageDirectory, packPath, parentOf } from "./layout.ts"
import { endLease } from "./lease-file.ts"
import { listMessages, partsOf } from "./record-directory.ts"
import { readPartFile } from "./record-file.ts"
import { findSession } from "./session-head.ts"
import type { Store } from "./store.ts"

/** Time to work before the event loop runs other work. */
const SLICE_MS = 10

/**
 * Deletes all files of the session. Called under its lock, after its journal says that it is removed. Can be repeated.
 */
export async function eraseSession(store: Store, id: string): Promise<void> {
  const { fs } = store
  const touched = new Set(["message", CHANGES])
  for (let path = findSession(store, id); path !== undefined; path = findSession(store, id)) {
    touched.add(parentOf(path))
    fs.remove(path)
  }
  let began = performance.now()
  for (const { id: messageID } of listMessages(store, id).entries) {
    if (messageID !== undefined) removeParts(store, id, messageID)
    if (performance.now() - began < SLICE_MS) continue
    await new Promise((resolve) => setImmediate(resolve))
    began = performance.now()
  }
  // The parts are found through the messages. If the messages were deleted first, a power cut could leave parts that
  // nothing refers to.
  await fs.sync("part")
  removeDirectory(store, messageDirectory(id))
  for (const path of [changesPath(id), contextPath(id), packPath(id)]) fs.remove(path)
  endLease(store, id)
  for (const path of touched) await fs.sync(path)
  fs.truncate(journalPath(id), 0)
  store.journals.forget(journalPath(id))
  store.projects.delete(id)
  store.messageNames.forget(id)
}

function removeParts(store: Store, sessionID: string, messageID: string): void {
  const directory = partsOf(store, sessionID, messageID)
  // Another session's message may have the same id and own these parts. A file that a power cut truncated does not say
  // which session it belongs to.
  for (const name of store.fs.readDirectory(directory) ?? []) {
    const part = readPartFile(store, `${directory}/${name}`, ANY)?.value
    if (part === undefined) continue
    if (part.sessionID !== sessionID) return
    break
  }
  removeDirectory(store, directory)
}

/**
 * Deletes the parts of a removed session that its commits name. `eraseSession` does not find a part if a power cut lost
 * its message. Directories stay, since a message of another session may have claimed them meanwhile.
 */
export async function eraseParts(store: Store, id: string, commits: readonly JournalCommit[]): Promise<void> {
  const { fs } = store
  const touched = new Set<string>()
  for (const [path, json] of lastChanges(store, commits)) {
    if (json === null || !path.startsWith("part/") || !fs.status(path)) continue
    const part = readPartFile(store, path, ANY)?.value
    if (part !== undefined && part.sessionID !== id) continue
    fs.remove(path)
    touched.add(parentOf(path))
  }
  for (const path of touched) await fs.sync(path)
}

const ANY = { sessionID: undefined, messageID: undefined, id: undefined }

function removeDirectory({ fs }: Store, path: string): void {
  for (const name of fs.readDirectory(path) ?? []) fs.remove(`${path}/${name}`)
  fs.removeDirectory(path)
}
