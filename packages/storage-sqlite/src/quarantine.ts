import { fromColumn } from "./column.ts"
import type { Connection } from "./connection.ts"
import { type RecordRow, readBytes } from "./record.ts"

/** Copies the content of a row before it is overwritten. */
export function setAside(connection: Connection, sessionID: string, row: RecordRow, reason: string): void {
  connection
    .statement(
      "INSERT INTO quarantine (session_id, message_id, part_id, revision, data, reason, time) VALUES (?, ?, ?, ?, ?, ?, ?)",
    )
    .run(
      sessionID,
      fromColumn(row.message_id),
      fromColumn(row.part_id),
      row.revision,
      readBytes(connection, row),
      reason,
      Date.now(),
    )
}
