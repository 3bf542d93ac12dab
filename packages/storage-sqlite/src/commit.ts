import {
  type MessageID,
  NotFoundError,
  type PartID,
  type Revision,
  type Session,
  type SessionID,
  type StorageProblem,
} from "@pawl/core/storage"
import { fromColumn, toColumn } from "./column.ts"
import type { Connection } from "./connection.ts"
import { type PreparedWrite, patched } from "@pawl/storage-kit"
import { findRecord, findSession, hasRecord, lastKey, missingSession, putRecord, type RecordID } from "./record.ts"
import { setAside } from "./quarantine.ts"
import { sessionValue } from "./read-session.ts"
import { insertSessionRow, updateSessionRow } from "./session-row.ts"

const SESSION: RecordID = { messageID: "", partID: "" }

/** Applies the writes in order and returns the session's new revision. Runs inside a write transaction. */
export function commitWrites(connection: Connection, sessionID: SessionID, writes: readonly PreparedWrite[]): Revision {
  const head = findSession(connection, sessionID)
  const session = head?.key ?? createSession(connection, sessionID, writes[0])
  const revision = (head?.revision ?? 0) + 1
  const start = lastKey(connection)
  let key = start

  const put = (id: RecordID, json: string | null) => putRecord(connection, { key: ++key, session, revision, id, json })
  const exists = (id: RecordID) => hasRecord(connection, session, id)

  function putSession(value: Session, json = JSON.stringify(value)): void {
    updateSessionRow(connection, session, value)
    put(SESSION, json)
  }

  function patchSession(changes: ReadonlyMap<string, string | undefined>): void {
    const damaged: StorageProblem[] = []
    const value = sessionValue(connection, session, damaged)
    const row = damaged.length > 0 ? findRecord(connection, session, SESSION) : undefined
    if (row) setAside(connection, sessionID, row, "cannot be read")
    if (value) putSession(patched(value, changes))
  }

  function removeMessage(messageID: MessageID): void {
    for (const id of recordsOfMessage(connection, session, messageID)) put(id, null)
  }

  for (const write of writes) {
    switch (write.type) {
      case "session.put":
        putSession(write.session, write.json)
        break
      case "session.patch":
        patchSession(write.changes)
        break
      case "message.put":
        put({ messageID: write.messageID, partID: "" }, write.json)
        break
      case "part.put":
        if (!exists({ messageID: write.messageID, partID: "" })) throw missingMessage(sessionID, write.messageID)
        put(write, write.json)
        break
      case "message.remove":
        removeMessage(write.messageID)
        break
      case "part.remove":
        if (exists(write)) put(write, null)
        break
    }
  }
  if (key === start) recordEmptyCommit(connection, { key: key + 1, session, revision })
  return revision
}

function createSession(connection: Connection, id: SessionID, first: PreparedWrite | undefined): number {
  if (first?.type !== "session.put") throw missingSession(id)
  return insertSessionRow(connection, id, first.session)
}

/** Parts come first, by id, then their message, so that watchers never see a part without its message. */
function recordsOfMessage(connection: Connection, session: number, messageID: MessageID): RecordID[] {
  const rows = connection
    .statement("SELECT part_id FROM record WHERE session = ? AND message_id = ? AND data IS NOT NULL ORDER BY part_id")
    .all(session, toColumn(messageID)) as { part_id: string }[]
  const ids = rows.map((row): RecordID => ({ messageID, partID: fromColumn(row.part_id) as PartID | "" }))
  // The message sorts before its parts.
  return [...ids.slice(1), ...ids.slice(0, 1)]
}

function missingMessage(sessionID: SessionID, messageID: MessageID): NotFoundError {
  return new NotFoundError(`Message ${messageID} does not exist in session ${sessionID}.`)
}

/** Stores the revision of a commit without changes in a record that never existed and is marked as removed. */
function recordEmptyCommit(connection: Connection, row: { key: number; session: number; revision: Revision }): void {
  putRecord(connection, { ...row, id: { messageID: "", partID: "prt_" }, json: null })
}
