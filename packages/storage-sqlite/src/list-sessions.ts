import type { Session, SessionID, SessionQuery } from "@pawl/core/storage"
import { fromColumn, toColumn, toSearchColumn } from "./column.ts"
import type { Connection } from "./connection.ts"
import { parseRecord, recordColumns, type RecordRow } from "./record.ts"

const PAGE = 50

/**
 * Yields readable sessions, newest (by id) first. Each page is a separate read, so that a slow reader does not block
 * others.
 */
export async function* listSessions(connection: Connection, query: SessionQuery = {}): AsyncGenerator<Session> {
  let left = query.limit ?? Number.POSITIVE_INFINITY
  let after = query.after
  while (left > 0) {
    const size = Math.min(PAGE, left)
    const page = { ...query, ...(after !== undefined && { after }), limit: size }
    const rows = await connection.read(() => sessionPage(connection, page))
    const sessions = rows.flatMap(({ session }) => session ?? [])
    yield* sessions
    if (rows.length < size) return
    left -= sessions.length
    after = rows.at(-1)?.id
  }
}

interface Listed {
  readonly id: SessionID
  /** Undefined if the record is damaged. */
  readonly session: Session | undefined
}

function sessionPage(connection: Connection, query: SessionQuery & { limit: number }): Listed[] {
  const { sql, values } = conditions(query)
  // CROSS JOIN keeps this order. Without a condition, SQLite would otherwise read every record of the file.
  const rows = connection
    .statement(
      `SELECT ${recordColumns.replace("key", "record.key")}, id FROM session CROSS JOIN record ON session = session.key ` +
        `AND message_id = '' AND part_id = '' ${sql && `WHERE ${sql} `}ORDER BY id LIMIT ?`,
    )
    .all(...values, query.limit) as unknown as (RecordRow & { id: string })[]
  return rows.map((row) => {
    const id = fromColumn(row.id) as SessionID
    const session = parseRecord(connection, row).value as Session | undefined
    return { id, session: session?.id === id ? session : undefined }
  })
}

function conditions(query: SessionQuery): { sql: string; values: (string | number)[] } {
  const terms: [sql: string, ...values: (string | number)[]][] = []
  if (query.directory !== undefined) terms.push(["directory = ?", toColumn(query.directory)])
  if (query.projectID !== undefined) terms.push(["project_id = ?", toColumn(query.projectID)])
  if (query.parentID === null) terms.push(["parent_id IS NULL"])
  else if (query.parentID !== undefined) terms.push(["parent_id = ?", toColumn(query.parentID)])
  if (query.archived !== undefined) terms.push(["archived = ?", query.archived ? 1 : 0])
  if (query.title !== undefined) terms.push(["instr(title, ?) > 0", toSearchColumn(query.title)])
  if (query.after !== undefined) terms.push(["id > ?", toColumn(query.after)])
  return {
    sql: terms.map(([sql]) => sql).join(" AND "),
    values: terms.flatMap(([, ...values]) => values),
  }
}
