import { type MessageID, NotFoundError, type PartID, type Revision, type SessionID } from "@pawl/core/storage"
import { fromColumn, toColumn } from "./column.ts"
import type { Connection } from "./connection.ts"
import { isMessage, isPart, isSession } from "./record-shape.ts"

/** Which record of a session: itself ('', ''), a message (id, '') or a part (id, id). */
export interface RecordID {
  readonly messageID: MessageID | ""
  readonly partID: PartID | ""
}

export interface RecordRow {
  readonly key: number
  readonly message_id: string
  readonly part_id: string
  readonly revision: Revision
  /** JSON; '' when it is kept in chunks, null when the record was removed. */
  readonly data: string | null
}

/** With the ids beside it, a row stays below 256 KB. */
const MAX_ROW_BYTES = 255 * 1024

export const recordColumns = "key, message_id, part_id, revision, data"

/** Stores the record under a new key and deletes the old row, its chunks included. Null leaves that it was removed. */
export function putRecord(
  connection: Connection,
  row: { key: number; session: number; revision: Revision; id: RecordID; json: string | null },
): void {
  const chunks = row.json === null ? [] : toChunks(row.json)
  connection
    .statement(
      "INSERT OR REPLACE INTO record (session, key, message_id, part_id, revision, data) VALUES (?, ?, ?, ?, ?, ?)",
    )
    .run(
      row.session,
      row.key,
      toColumn(row.id.messageID),
      toColumn(row.id.partID),
      row.revision,
      chunks.length > 0 ? "" : row.json,
    )
  const insert = connection.statement("INSERT INTO chunk (record, position, bytes) VALUES (?, ?, ?)")
  for (const [position, bytes] of chunks.entries()) insert.run(row.key, position, bytes)
}

export function findRecord(connection: Connection, session: number, id: RecordID): RecordRow | undefined {
  return connection
    .statement(
      `SELECT ${recordColumns} FROM record WHERE session = ? AND message_id = ? AND part_id = ? AND data IS NOT NULL`,
    )
    .get(session, toColumn(id.messageID), toColumn(id.partID)) as RecordRow | undefined
}

/** The same question without the record, which may be long. */
export function hasRecord(connection: Connection, session: number, id: RecordID): boolean {
  return (
    connection
      .statement("SELECT 1 FROM record WHERE session = ? AND message_id = ? AND part_id = ? AND data IS NOT NULL")
      .get(session, toColumn(id.messageID), toColumn(id.partID)) !== undefined
  )
}

export type Parsed =
  | { readonly value: unknown; readonly reason?: undefined }
  /** Why it cannot be read, as the end of a sentence. */
  | { readonly value?: undefined; readonly reason: string }

/** The value stored in a row, which must have data, if it is of the kind that its ids say. */
export function parseRecord(connection: Connection, row: Omit<RecordRow, "revision">): Parsed {
  let value: unknown
  try {
    value = JSON.parse(readJSON(connection, row))
  } catch {
    return { reason: "is not JSON" }
  }
  return hasShape(value, row) ? { value } : { reason: "is not what its ids say" }
}

function hasShape(value: unknown, { message_id, part_id }: Pick<RecordRow, "message_id" | "part_id">): boolean {
  if (message_id === "") return isSession(value)
  if (part_id === "") return isMessage(value, fromColumn(message_id))
  return isPart(value, fromColumn(message_id)) && value.id === fromColumn(part_id)
}

export interface SessionHead {
  readonly key: number
  readonly revision: Revision
}

export function findSession(connection: Connection, id: SessionID): SessionHead | undefined {
  return connection
    .statement(
      "SELECT key, (SELECT max(revision) FROM record WHERE session = session.key) AS revision FROM session WHERE id = ?",
    )
    .get(toColumn(id)) as SessionHead | undefined
}

export function requireSession(connection: Connection, id: SessionID): SessionHead {
  const session = findSession(connection, id)
  if (!session) throw missingSession(id)
  return session
}

export function missingSession(id: SessionID): NotFoundError {
  return new NotFoundError(`Session ${id} does not exist.`)
}

/** The last key given out in the whole file. */
export function lastKey(connection: Connection): number {
  const row = connection
    .statement(
      "SELECT max(ifnull((SELECT max(key) FROM record), 0), ifnull((SELECT max(key) FROM removed_session), 0)) AS key",
    )
    .get() as { key: number }
  return row.key
}

/** Bytes that are not UTF-8 become replacement characters. */
export function readJSON(connection: Connection, row: Pick<RecordRow, "key" | "data">): string {
  return row.data === "" ? readChunks(connection, row.key).toString() : (row.data ?? "")
}

/** The bytes as they stand in the file, whatever they are. */
export function readBytes(connection: Connection, row: Pick<RecordRow, "key" | "data">): Uint8Array {
  if (row.data === "") return readChunks(connection, row.key)
  const stored = connection.statement("SELECT CAST(data AS BLOB) AS bytes FROM record WHERE key = ?").get(row.key)
  return stored?.["bytes"] as Uint8Array
}

function readChunks(connection: Connection, key: number): Buffer {
  const chunks = connection.statement("SELECT bytes FROM chunk WHERE record = ? ORDER BY position").all(key)
  return Buffer.concat(chunks.map((chunk) => chunk["bytes"] as Uint8Array))
}

function toChunks(json: string): Uint8Array[] {
  // A UTF-16 unit takes three bytes at most.
  if (json.length * 3 <= MAX_ROW_BYTES) return []
  const bytes = Buffer.from(json)
  if (bytes.length <= MAX_ROW_BYTES) return []
  return Array.from({ length: Math.ceil(bytes.length / MAX_ROW_BYTES) }, (_, position) =>
    bytes.subarray(position * MAX_ROW_BYTES, (position + 1) * MAX_ROW_BYTES),
  )
}
