import { blobReferences, type SessionID } from "@pawl/core/storage"
import { setImmediate as nextTick } from "node:timers/promises"
import { fromColumn } from "./column.ts"
import { type Connection, LONG_TIMEOUT_MS, type Value } from "./connection.ts"
import { LAST_PLACE } from "./derive-function.ts"
import { firstBytes } from "./first-bytes.ts"
import { quoted } from "./identifier.ts"
import { wordsOf } from "./part-words.ts"
import type { RecordRow } from "./record.ts"

/** Number of sessions per query for work, and of records per statement. */
const SESSIONS_PER_QUERY = 100
const RECORDS_PER_STATEMENT = 200
/** Maximum size of the records in one batch: splitting them into words takes longer than reading them. */
const MAX_BATCH_BYTES = 256 * 1024

/** After this number of records, updates the statistics by which PostgreSQL plans searches. */
const RECORDS_BETWEEN_ANALYZE = 5000

interface Work {
  readonly now: string | null
  readonly key: number | null
  readonly id: string
  readonly revision: number
  readonly place: number
}

interface Row extends Omit<RecordRow, "data"> {
  readonly revision: number
  readonly place: number
  readonly data: string | null
  readonly head: number
  readonly counted: number | null
}

/** Limits work to some sessions: a condition on the session's key, with `?` for each value. */
export interface Scope {
  readonly condition: (column: string) => string
  readonly values: readonly Value[]
}

/** Returns the condition with placeholders for its values, and appends these to `values`. */
export function bound({ condition, values: more }: Scope, column: string, values: Value[]): string {
  const places = more.map((value) => `$${values.push(value)}`)
  return condition(column).replaceAll("?", () => places.shift() ?? "?")
}

/**
 * Returns sessions with work, newest first, since they are searched most often. `now`: a lower bound of later commits'
 * transactions. The change feed explains why it is taken from a session.
 */
const findWork = (within: string): string => `
WITH newest AS MATERIALIZED (SELECT changed FROM pawl.session ORDER BY changed DESC LIMIT 1),
running AS MATERIALIZED (SELECT x AS changed FROM pg_snapshot_xip(pg_current_snapshot()) AS x ORDER BY x LIMIT 1)
SELECT now.now::text, w.* FROM (SELECT least((SELECT changed FROM newest), (SELECT changed FROM running)) AS now) now
LEFT JOIN (
  SELECT s.key, s.id, coalesce(d.revision, 0) AS revision, coalesce(d.place, 0) AS place
  FROM pawl.session s LEFT JOIN pawl.derived d ON d.session = s.key
  WHERE s.changed >= (SELECT changed FROM pawl.derived_until)
    AND s.revision > 0 AND (d.session IS NULL OR (d.revision, d.place) < (s.revision, ${LAST_PLACE})) AND ${within}
  ORDER BY s.changed DESC LIMIT ${SESSIONS_PER_QUERY}
) w ON true`

/**
 * Reads the records of a session without derived data, in the order of writes, with the session's revision at that
 * moment.
 */
const READ_WORK = `
SELECT s.revision AS head, r.message_id, r.part_id, r.revision, r.place, r.data, r.counted FROM pawl.session s
LEFT JOIN LATERAL (
  ${firstBytes(
    `SELECT x.* FROM pawl.record x WHERE x.session = s.key AND x.revision >= $2 AND (x.revision, x.place) > ($2, $3)
     ORDER BY x.revision, x.place LIMIT ${RECORDS_PER_STATEMENT}`,
    "revision, place",
    MAX_BATCH_BYTES,
  )}
) r ON true WHERE s.key = $1 ORDER BY r.revision, r.place`

export interface CatchUpOptions {
  readonly signal?: AbortSignal | undefined
  /** Default: all sessions. */
  readonly scope?: Scope | undefined
  /** Stops after about this number of records. Default: no limit. */
  readonly maxRecords?: number
  /** Called after each batch with the number of records so far. */
  readonly onProgress?: (records: number) => Promise<void>
}

/**
 * Derives search words and blob references from all records that were committed before the call. Each batch is a
 * separate statement, and concurrent processes share the work. Rejects with the signal's reason between two batches.
 * Returns false if it stopped at `maxRecords`.
 */
export async function catchUp(connection: Connection, options: CatchUpOptions = {}): Promise<boolean> {
  const { signal, scope, maxRecords = Number.POSITIVE_INFINITY, onProgress } = options
  const values: Value[] = []
  const within = scope ? bound(scope, "s.key", values) : "true"
  let derived = 0
  for (;;) {
    const work = await connection.query<Work>(findWork(within), values)
    const sessions = work.filter(({ key }) => key !== null)
    let isAll = sessions.length < SESSIONS_PER_QUERY
    for (const session of sessions) {
      if (derived >= maxRecords) {
        await analyze(connection, derived)
        return false
      }
      const before = derived
      const { count, isWhole } = await deriveSession(connection, session, {
        ...{ signal, maxRecords: maxRecords - derived },
        onProgress: async (records) => onProgress?.(before + records),
      })
      derived += count
      isAll &&= isWhole
    }
    if (isAll) {
      // All commits before this query have derived data. If there was no work, nothing is written.
      const until = work[0]?.now ?? null
      if (!scope && derived > 0 && until !== null) await remember(connection, until)
      break
    }
  }
  await analyze(connection, derived)
  return true
}

/** Counts sessions that have records without derived data. */
export async function countWork(connection: Connection): Promise<number> {
  const [row] = await connection.query<{ count: number }>(
    `SELECT count(*) AS count FROM pawl.session s LEFT JOIN pawl.derived d ON d.session = s.key
     WHERE s.changed >= (SELECT changed FROM pawl.derived_until)
       AND s.revision > 0 AND (d.session IS NULL OR (d.revision, d.place) < (s.revision, ${LAST_PLACE}))`,
  )
  return row?.count ?? 0
}

/** Counts records of the scope without derived data. */
export async function countRecords(connection: Connection, scope: Scope | undefined): Promise<number> {
  const values: Value[] = []
  const within = scope ? bound(scope, "s.key", values) : "true"
  const [row] = await connection.query<{ count: number }>(
    `SELECT count(*) AS count FROM pawl.session s LEFT JOIN pawl.derived d ON d.session = s.key
     JOIN pawl.record r ON r.session = s.key AND r.revision >= coalesce(d.revision, 0)
       AND (r.revision, r.place) > (coalesce(d.revision, 0), coalesce(d.place, 0))
     WHERE s.changed >= (SELECT changed FROM pawl.derived_until) AND ${within}`,
    values,
    { timeout: LONG_TIMEOUT_MS },
  )
  return row?.count ?? 0
}

async function analyze(connection: Connection, derived: number): Promise<void> {
  if (derived < RECORDS_BETWEEN_ANALYZE) return
  const index = `${quoted(connection.schema)}.search_words`
  await connection.query("SELECT gin_clean_pending_list($1::regclass)", [index], { timeout: LONG_TIMEOUT_MS })
  await connection.query("ANALYZE pawl.search", [], { timeout: LONG_TIMEOUT_MS })
}

/** Derives data from some records of the session. Returns their number, and true if they were the last ones. */
async function deriveSession(
  connection: Connection,
  session: Work,
  { signal, maxRecords, onProgress }: Required<Pick<CatchUpOptions, "maxRecords" | "onProgress">> & CatchUpOptions,
): Promise<{ count: number; isWhole: boolean }> {
  let { revision, place } = session
  let count = 0
  for (;;) {
    signal?.throwIfAborted()
    const rows = await connection.query<Row>(READ_WORK, [session.key, revision, place])
    const [first] = rows
    // The session was removed meanwhile.
    if (!first) return { count, isWhole: true }
    const records = rows.filter((row) => row.message_id !== null)
    const last = records.at(-1)
    const counted = first.counted ?? 0
    const isWhole = !last || (counted < RECORDS_PER_STATEMENT && records.length === counted)
    const to = isWhole ? { revision: first.head, place: LAST_PLACE } : last
    const put = await putDerived(connection, session, { revision, place }, to, records)
    count += records.length
    await onProgress(count)
    // Another process was faster, but may end before all records are done. The next query continues from its position.
    if (!put || isWhole) return { count, isWhole: put }
    if (count >= maxRecords) return { count, isWhole: false }
    ;({ revision, place } = to)
    await nextTick()
  }
}

interface Point {
  readonly revision: number
  readonly place: number
}

async function putDerived(
  connection: Connection,
  session: Work,
  from: Point,
  to: Point,
  records: readonly Row[],
): Promise<boolean> {
  const id = fromColumn(session.id) as SessionID
  const parts = records.map((row) => ({
    ...row,
    words: row.data === null ? null : wordsOf(id, { ...row, data: row.data }),
  }))
  const references = records.flatMap((row) =>
    blobReferences(row.data ?? "").map((blob) => ({ message: row.message_id, part: row.part_id, blob })),
  )
  const [result] = await connection.query<{ put: boolean }>(
    "SELECT pawl.put_derived($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS put",
    [
      session.key,
      from.revision,
      from.place,
      to.revision,
      to.place,
      parts.map(({ message_id }) => message_id),
      parts.map(({ part_id }) => part_id),
      parts.map(({ words }) => words),
      references.map(({ message }) => message),
      references.map(({ part }) => part),
      references.map(({ blob }) => blob),
    ],
  )
  return result?.put === true
}

async function remember(connection: Connection, until: string): Promise<void> {
  await connection.query("UPDATE pawl.derived_until SET changed = $1::xid8 WHERE changed < $1::xid8", [until])
}
