import type { Session, SessionID, SessionQuery } from "@pawl/core/storage"
import { fromColumn, toColumn, toSearchColumn } from "./column.ts"
import type { Connection, Value } from "./connection.ts"
import { firstBytes } from "./first-bytes.ts"
import { sameDirectory } from "./listing.ts"
import { sessionColumns, type SessionRow, toSession } from "./read-session.ts"

/** Number of rows of the first page, which is often enough. Later pages are larger. */
const FIRST_PAGE = 50
const PAGE_GROWTH = 8
const MAX_PAGE = 4000

interface Row extends SessionRow {
  /** Number of rows found. The page has fewer if it reached the maximum size. */
  readonly counted: number
}

/** Yields sessions, newest (by id) first. Each page is a separate read, so that a slow reader does not block others. */
export async function* listSessions(connection: Connection, query: SessionQuery = {}): AsyncGenerator<Session> {
  let left = query.limit ?? Number.POSITIVE_INFINITY
  let after = query.after
  for (let page = FIRST_PAGE; left > 0; page = Math.min(page * PAGE_GROWTH, MAX_PAGE)) {
    const size = Math.min(page, left)
    const { sql, values } = conditions({ ...query, ...(after !== undefined && { after }) })
    const found = `SELECT ${sessionColumns} ${sql && `WHERE ${sql} `}ORDER BY l.id LIMIT $${values.length + 1}`
    const rows = await connection.query<Row>(`${firstBytes(found, "id")} ORDER BY id`, [...values, size])
    yield* rows.map((row) => toSession(row).session)
    const last = rows.at(-1)
    if (!last || (last.counted < size && rows.length === last.counted)) return
    left -= rows.length
    after = fromColumn(last.id) as SessionID
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
