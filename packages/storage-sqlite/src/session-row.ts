import type { Session, SessionID } from "@pawl/core"
import { toColumn, toSearchColumn } from "./column.ts"
import type { Connection } from "./connection.ts"

/** Adds the session to what lists are made from. Returns its key. */
export function insertSessionRow(connection: Connection, id: SessionID, session: Session): number {
  const row = connection
    .statement(
      "INSERT INTO session (id, parent_id, project_id, directory, title, archived) VALUES (?, ?, ?, ?, ?, ?) RETURNING key",
    )
    .get(toColumn(id), ...columnsOf(session)) as { key: number }
  return row.key
}

/** Most commits change nothing that lists are made from; then nothing is written. */
export function updateSessionRow(connection: Connection, key: number, session: Session): void {
  const columns = columnsOf(session)
  connection
    .statement(
      "UPDATE session SET (parent_id, project_id, directory, title, archived) = (?, ?, ?, ?, ?) " +
        "WHERE key = ? AND (parent_id, project_id, directory, title, archived) IS NOT (?, ?, ?, ?, ?)",
    )
    .run(...columns, key, ...columns)
}

function columnsOf(session: Session): (string | number | null)[] {
  return [
    session.parentID === undefined ? null : toColumn(session.parentID),
    toColumn(session.projectID),
    toColumn(session.directory),
    toSearchColumn(session.title),
    session.time.archived === undefined ? 0 : 1,
  ]
}
