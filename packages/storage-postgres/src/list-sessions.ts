import type { Session, SessionQuery } from "@pawl/core"
import { toColumn, toSearchColumn } from "./column.ts"
import type { Connection, Value } from "./connection.ts"
import { sameDirectory } from "./listing.ts"
import { sessionColumns, type SessionRow, toSession } from "./read-session.ts"

const PAGE = 50

/** Newest first, which is by id. Each page is a read of its own, so that a slow reader holds up nobody. */
export async function* listSessions(connection: Connection, query: SessionQuery = {}): AsyncGenerator<Session> {
  let left = query.limit ?? Number.POSITIVE_INFINITY
  let after = query.after
  while (left > 0) {
    const size = Math.min(PAGE, left)
    const { sql, values } = conditions({ ...query, ...(after !== undefined && { after }) })
    const rows = await connection.query<SessionRow>(
      `SELECT ${sessionColumns} ${sql && `WHERE ${sql} `}ORDER BY l.id LIMIT $${values.length + 1}`,
      [...values, size],
    )
    const sessions = rows.map((row) => toSession(row).session)
    yield* sessions
    if (sessions.length < size) return
    left -= size
    after = sessions.at(-1)?.id
  }
}

function conditions(query: SessionQuery): { sql: string; values: Value[] } {
  const terms: string[] = []
  const values: Value[] = []
  const add = (before: string, value: Value, after = "") => terms.push(`${before}$${values.push(value)}${after}`)
  if (query.directory !== undefined) {
    const place = `$${values.push(toColumn(query.directory))}`
    terms.push(sameDirectory(place))
  }
  if (query.projectID !== undefined) add("l.project_id = ", toColumn(query.projectID))
  if (query.parentID === null) terms.push("l.parent_id IS NULL")
  else if (query.parentID !== undefined) add("l.parent_id = ", toColumn(query.parentID))
  if (query.archived !== undefined) add("l.archived = ", query.archived)
  if (query.title !== undefined) add("strpos(l.title, ", toSearchColumn(query.title), ") > 0")
  if (query.after !== undefined) add("l.id > ", toColumn(query.after))
  return { sql: terms.join(" AND "), values }
}
