import type { SearchQuery } from "@pawl/core/storage"
import { toColumn } from "../column.ts"
import type { Connection } from "../connection.ts"

/** The sessions that a query is limited to. */
export interface Scope {
  has(volume: number): boolean
  /** Requested sessions with parts in the volume; undefined if all sessions are requested, or too many for the index. */
  sessionsIn(volume: number): readonly number[] | undefined
  /** SQL condition on each hit, to be appended to a WHERE clause, and its values. */
  readonly sql: string
  readonly values: readonly string[]
}

/** Maximum sessions of a volume in an index query. With more, the index query has only the words, and each hit is checked for its session. */
const MAX_SESSIONS = 500

export function createScope(connection: Connection, { sessionID, directory, projectID }: SearchQuery): Scope {
  const terms = [
    { sql: "session.id = ?", value: sessionID },
    { sql: "session.directory = ?", value: directory },
    { sql: "session.project_id = ?", value: projectID },
  ].flatMap(({ sql, value }) => (value === undefined ? [] : { sql, value: toColumn(value) }))
  if (terms.length === 0) return { has: () => true, sessionsIn: () => undefined, sql: "", values: [] }

  const [sql, values] = [terms.map((term) => term.sql).join(" AND "), terms.map(({ value }) => value)]
  const rows = connection
    .statement(
      "SELECT volume, session.key AS session FROM session CROSS JOIN search_session ON search_session.session = session.key " +
        `WHERE ${sql}`,
    )
    .all(...values) as { volume: number; session: number }[]
  const volumes = Map.groupBy(rows, ({ volume }) => volume)
  return {
    has: (volume) => volumes.has(volume),
    sessionsIn(volume) {
      const sessions = volumes.get(volume) ?? []
      return sessions.length > MAX_SESSIONS ? undefined : sessions.map(({ session }) => session)
    },
    sql: `AND ${sql} `,
    values,
  }
}
