import type { MessageID, SessionID } from "@pawl/core/storage"
import { isStray } from "./layout.ts"
import { fromName } from "./record-name.ts"
import type { Store } from "./store.ts"

/** A directory of records with the id of its session or message. The id is undefined if the name is truncated. */
export interface RecordDirectory {
  readonly path: string
  readonly sessionID?: SessionID | undefined
  readonly messageID?: MessageID | undefined
}

/** Returns the directories below `message`, one for each session. */
export function messageDirectories(store: Store): RecordDirectory[] {
  return names(store, "message").map((name) => ({ path: `message/${name}`, sessionID: fromName(name) as SessionID }))
}

/** Returns the directories below `part`, one for each message. */
export function partDirectories(store: Store): RecordDirectory[] {
  return names(store, "part").map((name) => {
    const [message = "", session] = name.split("@")
    const messageID = fromName(message) as MessageID | undefined
    return {
      path: `part/${name}`,
      messageID,
      sessionID: session === undefined ? undefined : (fromName(session) as SessionID),
    }
  })
}

export function sessionDirectories(store: Store): RecordDirectory[] {
  return names(store, "session").map((name) => ({ path: `session/${name}` }))
}

/** Yields the files of blobs with their ids. */
export function* blobFiles(store: Store): Iterable<{ id: string; path: string }> {
  for (const name of names(store, "blob")) {
    for (const id of store.fs.readDirectory(`blob/${name}`) ?? []) {
      if (!isStray(id)) yield { id, path: `blob/${name}/${id}` }
    }
  }
}

function names(store: Store, directory: string): string[] {
  return (store.fs.readDirectory(directory) ?? []).filter((name) => !isStray(name)).sort()
}
