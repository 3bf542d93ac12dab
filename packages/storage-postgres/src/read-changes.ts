import type { Change, Message, MessageID, Part, PartID, Revision, Session, SessionID } from "@pawl/core/storage"
import { fromColumn, toColumn } from "./column.ts"
import { missingSession } from "./committer.ts"
import type { Connection } from "./connection.ts"
import { parseRecord } from "./record.ts"

interface ChangeRow {
  readonly revision: number | null
  readonly message_id: string
  readonly part_id: string
  readonly data: string | null
}

/**
 * Returns changes by revision, then in the order of their writes. Reads one index range, so the cost depends on the
 * number of changes. Skips damaged records.
 */
export async function readChanges(connection: Connection, id: SessionID, after: Revision): Promise<Change[]> {
  const rows = await connection.query<ChangeRow>(
    `SELECT r.revision, r.message_id, r.part_id, r.data FROM pawl.listing l
     LEFT JOIN pawl.record r ON r.session = l.session AND r.revision > $2
     WHERE l.id = $1 ORDER BY r.revision, r.place`,
    [toColumn(id), after],
  )
  if (rows.length === 0) throw missingSession(id)
  return rows.flatMap((row) => toChange(id, row) ?? [])
}

function toChange(id: SessionID, row: ChangeRow): Change | undefined {
  const { revision, data } = row
  if (revision === null) return undefined
  const messageID = fromColumn(row.message_id) as MessageID
  if (data === null) {
    if (row.part_id === "") return { type: "message.remove", revision, messageID }
    return { type: "part.remove", revision, messageID, partID: fromColumn(row.part_id) as PartID }
  }
  const { value } = parseRecord(id, { ...row, data })
  if (value === undefined) return undefined
  if (row.message_id === "") return { type: "session.put", revision, session: value as Session }
  if (row.part_id === "") return { type: "message.put", revision, message: value as Message }
  return { type: "part.put", revision, part: value as Part }
}
