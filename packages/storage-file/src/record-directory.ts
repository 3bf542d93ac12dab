import type { StorageProblem } from "@pawl/core/storage"
import { isStray, messageDirectory, partDirectory, sharedPartDirectory } from "./layout.ts"
import { damaged } from "./record-file.ts"
import { fromName, isPlainName, isShortenedName } from "./record-name.ts"
import type { Store } from "./store.ts"

export interface RecordEntry {
  /** Undefined if the name is shortened. Then the record has the id. */
  readonly id: string | undefined
  readonly path: string
}

export interface RecordEntries {
  /** In any order. */
  readonly entries: readonly RecordEntry[]
  /** Files that resemble records but do not have a valid name, such as conflict copies of a synchronization tool. */
  readonly foreign: readonly StorageProblem[]
}

/**
 * Returns the records of one directory by name; empty if it is missing. Skips stray files such as `.DS_Store`. May omit ids
 * before `from`. `names` are those in the directory, if the caller knows them.
 */
export function listRecords(
  store: Store,
  directory: string,
  prefix: string,
  from = "",
  names: readonly string[] = store.fs.readDirectory(directory) ?? [],
): RecordEntries {
  const entries: RecordEntry[] = []
  const foreign: StorageProblem[] = []
  for (const name of names) {
    // In a long session most names are before the boundary. This skips them without decoding.
    if (isPlainName(name) && name < from) continue
    if (isStray(name)) continue
    const path = `${directory}/${name}`
    const base = name.endsWith(".json") ? name.slice(0, -5) : ""
    const id = fromName(base)
    if (id?.startsWith(prefix)) entries.push({ id, path })
    else if (isShortenedName(base)) entries.push({ id: undefined, path })
    else
      foreign.push(
        damaged(store, path, name, "its name is not that of a record, as with a copy made by another program"),
      )
  }
  return { entries, foreign }
}

export function listMessages(store: Store, sessionID: string, from?: string, names?: readonly string[]): RecordEntries {
  return listRecords(store, messageDirectory(sessionID), "msg_", from, names)
}

export function listParts(store: Store, sessionID: string, messageID: string): RecordEntries {
  return listRecords(store, partsOf(store, sessionID, messageID), "prt_")
}

/** Returns the directory for the parts of a message, whether it exists or not. */
export function partsOf({ fs }: Store, sessionID: string, messageID: string): string {
  const shared = sharedPartDirectory(sessionID, messageID)
  return fs.status(shared) ? shared : partDirectory(messageID)
}
