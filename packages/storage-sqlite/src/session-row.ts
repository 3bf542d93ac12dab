import type { Session, SessionID } from "@pawl/core/storage"
import { fromColumn, toColumn, toSearchColumn } from "./column.ts"
import type { Connection } from "./connection.ts"

/**
 * Adds the session to the table for lists, under the given key or the next one that is unused. A key is in use until the
 * records of a removed session are deleted. Returns the key.
 */
export function insertSessionRow(
  connection: Pick<Connection, "statement">,
  id: SessionID,
  session: Session,
  key: number | null = null,
): number {
  const row = connection
    .statement(
      "INSERT INTO session (key, id, parent_id, project_id, directory, title, archived) VALUES (ifnull(?, " +
        "1 + max(ifnull((SELECT max(key) FROM session), 0), " +
        "ifnull((SELECT max(session) FROM removed_session WHERE rest = 1), 0))), ?, ?, ?, ?, ?, ?) RETURNING key",
    )
    .get(key, toColumn(id), ...columnsOf(session)) as { key: number }
  return row.key
}

/** Writes nothing if the columns for lists are unchanged, as in most commits. */
export function updateSessionRow(connection: Connection, key: number, session: Session): void {
  const columns = columnsOf(session)
  connection
    .statement(
      "UPDATE session SET (parent_id, project_id, directory, title, archived) = (?, ?, ?, ?, ?) " +
        "WHERE key = ? AND (parent_id, project_id, directory, title, archived) IS NOT (?, ?, ?, ?, ?)",
    )
    .run(...columns, key, ...columns)
}

interface SessionRow {
  readonly id: string
  readonly parent_id: string | null
  readonly project_id: string
  readonly directory: string
  readonly title: string
  readonly archived: number
}

/** Builds a session from the session list if its record is damaged: title in lower case, no times. */
export function sessionFromRow(connection: Connection, key: number): Session | undefined {
  const row = connection
    .statement("SELECT id, parent_id, project_id, directory, title, archived FROM session WHERE key = ?")
    .get(key) as SessionRow | undefined
  return (
    row && {
      id: fromColumn(row.id) as SessionID,
      projectID: fromColumn(row.project_id),
      directory: fromColumn(row.directory),
      ...(row.parent_id !== null && { parentID: fromColumn(row.parent_id) as SessionID }),
      title: row.title,
      version: "",
      time: { created: 0, updated: 0, ...(row.archived === 1 && { archived: 0 }) },
    }
  )
}

export function agreesWithRow(connection: Connection, key: number, session: Session): boolean {
  return (
    connection
      .statement(
        "SELECT 1 FROM session WHERE key = ? AND (id, parent_id, project_id, directory, title, archived) IS (?, ?, ?, ?, ?, ?)",
      )
      .get(key, toColumn(session.id), ...columnsOf(session)) !== undefined
  )
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
