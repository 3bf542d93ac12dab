import type { Change, Message, MessageID, Part, PartID, Revision, Session, SessionID } from "@pawl/core/storage"
import { fromColumn } from "./column.ts"
import type { Connection } from "./connection.ts"
import { parseRecord, recordColumns, type RecordRow, requireSession } from "./record.ts"

/** Reads changes in the order in which they were written; keys ascend in that order. Skips damaged records. Reads one range of an index, so the cost depends only on the changes. */
export function readChanges(connection: Connection, id: SessionID, after: Revision): Change[] {
  const session = requireSession(connection, id)
  const rows = connection
    .statement(`SELECT ${recordColumns} FROM record WHERE session = ? AND revision > ? ORDER BY revision, key`)
    .all(session.key, after) as unknown as RecordRow[]
  return rows.flatMap((row) => toChange(connection, row) ?? [])
}

function toChange(connection: Connection, row: RecordRow): Change | undefined {
  const { revision } = row
  const messageID = fromColumn(row.message_id) as MessageID
  const partID = fromColumn(row.part_id) as PartID
  if (row.data !== null) {
    const { value, reason } = parseRecord(connection, row)
    if (reason !== undefined) return undefined
    if (row.message_id === "") return { type: "session.put", revision, session: value as Session }
    if (row.part_id === "") return { type: "message.put", revision, message: value as Message }
    return { type: "part.put", revision, part: value as Part }
  }
  // The record of a commit without changes.
  if (row.message_id === "") return undefined
  if (row.part_id === "") return { type: "message.remove", revision, messageID }
  return { type: "part.remove", revision, messageID, partID }
}
