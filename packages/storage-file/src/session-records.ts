import type { MessageID, PartID } from "@pawl/core/storage"
import { listMessages, listParts } from "./record-directory.ts"
import { readMessageFile, readPartFile } from "./record-file.ts"
import type { Store } from "./store.ts"

export interface RecordID {
  readonly messageID: MessageID | ""
  readonly partID: PartID | ""
}

/** Returns the keys of all records of a session: the session itself, then each message with its parts, by id. */
export function everyRecord(store: Store, sessionID: string): RecordID[] {
  const ids: RecordID[] = [{ messageID: "", partID: "" }]
  for (const messageID of messageIDs(store, sessionID)) {
    ids.push({ messageID, partID: "" })
    for (const partID of partIDs(store, sessionID, messageID)) ids.push({ messageID, partID })
  }
  return ids
}

/** Oldest first. */
export function messageIDs(store: Store, sessionID: string): MessageID[] {
  return listMessages(store, sessionID)
    .entries.map(({ id, path }) => id ?? readMessageFile(store, path, { sessionID, id })?.value?.id)
    .filter((id): id is MessageID => id !== undefined)
    .sort()
}

/** Oldest first. */
export function partIDs(store: Store, sessionID: string, messageID: string): PartID[] {
  return listParts(store, sessionID, messageID)
    .entries.map(({ id, path }) => id ?? readPartFile(store, path, { sessionID, messageID, id })?.value?.id)
    .filter((id): id is PartID => id !== undefined)
    .sort()
}
