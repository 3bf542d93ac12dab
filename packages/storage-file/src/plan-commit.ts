import {
  type MessageID,
  NotFoundError,
  type PartID,
  type Session,
  type SessionID,
  StorageError,
} from "@pawl/core/storage"
import { missingSession } from "./errors.ts"
import { messagePath } from "./layout.ts"
import { patched, type PreparedWrite } from "@pawl/storage-kit"
import { listParts } from "./record-directory.ts"
import { readPartFile, readSessionFile } from "./record-file.ts"
import { toName } from "./record-name.ts"
import { partsOf } from "./record-directory.ts"
import { findSession } from "./session-head.ts"
import type { Store } from "./store.ts"

/** The new state of a record. A session has the key ("", ""), a message (id, ""). */
export interface PlannedRecord {
  readonly messageID: MessageID | ""
  readonly partID: PartID | ""
  /** Null if the record is removed. */
  readonly json: string | null
}

/**
 * Returns the effect of the writes in order, one entry for each record. Throws the contract's errors before any change.
 */
export function planCommit(store: Store, id: SessionID, writes: readonly PreparedWrite[]): PlannedRecord[] {
  const place = findSession(store, id)
  if (place === undefined && writes[0]?.type !== "session.put") throw missingSession(id)
  const planned = new Map<string, PlannedRecord>()

  function put(messageID: MessageID | "", partID: PartID | "", json: string | null): void {
    const key = JSON.stringify([messageID, partID])
    planned.delete(key)
    planned.set(key, { messageID, partID, json })
  }
  function stagedJSON(messageID: MessageID | "", partID: PartID | ""): string | null | undefined {
    return planned.get(JSON.stringify([messageID, partID]))?.json
  }
  function hasMessage(messageID: MessageID): boolean {
    const staged = stagedJSON(messageID, "")
    return staged === undefined ? isStored(store, id, messageID) : staged !== null
  }
  function hasPart(messageID: MessageID, partID: PartID): boolean {
    const staged = stagedJSON(messageID, partID)
    if (staged !== undefined) return staged !== null
    return (
      isStored(store, id, messageID) &&
      store.fs.status(`${partsOf(store, id, messageID)}/${toName(partID)}.json`) !== undefined
    )
  }
  function currentSession(): Session {
    const staged = stagedJSON("", "")
    if (staged) return JSON.parse(staged) as Session
    const found = place === undefined ? undefined : readSessionFile(store, place, id)
    if (found?.value) return found.value
    throw new StorageError(found?.problem?.message ?? missingSession(id).message)
  }

  for (const write of writes) {
    switch (write.type) {
      case "session.put":
        put("", "", write.json)
        break
      case "session.patch":
        put("", "", JSON.stringify(patched(currentSession(), write.changes)))
        break
      case "message.put":
        put(write.messageID, "", write.json)
        break
      case "part.put":
        if (!hasMessage(write.messageID)) throw missingMessage(id, write.messageID)
        put(write.messageID, write.partID, write.json)
        break
      case "message.remove":
        if (!hasMessage(write.messageID)) break
        for (const partID of partIDs(store, id, write.messageID, planned)) {
          if (hasPart(write.messageID, partID)) put(write.messageID, partID, null)
        }
        put(write.messageID, "", null)
        break
      case "part.remove":
        if (hasPart(write.messageID, write.partID)) put(write.messageID, write.partID, null)
        break
    }
  }
  return [...planned.values()]
}

/**
 * Returns true if the message is stored in this session. If it is not, parts under its id belong to another session's
 * message.
 */
export function isStored(store: Store, sessionID: SessionID, messageID: string): boolean {
  return store.fs.status(messagePath(sessionID, messageID)) !== undefined
}

/** Returns stored and planned ids, sorted, so that watchers never see a part without its message. */
function partIDs(
  store: Store,
  sessionID: SessionID,
  messageID: MessageID,
  planned: ReadonlyMap<string, PlannedRecord>,
): PartID[] {
  const entries = isStored(store, sessionID, messageID) ? listParts(store, sessionID, messageID).entries : []
  const stored = entries.map(({ id, path }) => {
    return id ?? readPartFile(store, path, { sessionID, messageID, id })?.value?.id
  })
  const added = [...planned.values()].filter((record) => record.messageID === messageID).map(({ partID }) => partID)
  return [...new Set([...stored, ...added])].filter((id): id is PartID => id !== undefined && id !== "").sort()
}

function missingMessage(id: SessionID, messageID: MessageID): NotFoundError {
  return new NotFoundError(`Message ${messageID} does not exist in session ${id}.`)
}
