import {
  matchesWords,
  type MessageID,
  type Part,
  type PartID,
  type SearchHit,
  type SearchQuery,
  searchText,
  searchWords,
  type SessionID,
} from "@pawl/core/storage"
import { fromColumn, toColumn } from "./column.ts"
import type { Connection, Value } from "./connection.ts"
import { bound, catchUp, type Scope } from "./derive.ts"
import { BATCH_BYTES } from "./first-bytes.ts"
import { sameDirectory } from "./listing.ts"
import { parseRecord } from "./record.ts"

/** Number of newest parts to scan before the index is used. Later windows are larger. */
const FIRST_WINDOW = 500
const WINDOW_GROWTH = 6

/** Number of hits per read. */
const PAGE = 50

const MAX_PAGE = 3200

/** Maximum number of words to look up in the index. The results are checked for all words. */
const MAX_QUERY_WORDS = 32

/**
 * A word that occurs in more parts is not looked up in the index; the results for the other words are checked for it.
 */
const COMMON_PARTS = 20_000

/** A position in the search order, which begins with the newest part. */
interface Cursor {
  readonly part_id: string
  readonly session: number
  readonly message_id: string
}

interface Row extends Cursor {
  /** Null if the session or the part was removed. */
  readonly session_id: string | null
  /** Null also if the previous rows reached the maximum size. Then the record is read separately. */
  readonly data: string | null
  readonly is_left_out: boolean
  /** True for the last scanned part, which is not a hit. */
  readonly ends: boolean
}

/**
 * Yields hits, newest part first. Finds common words by scanning the newest parts, and rare words by the index. If a
 * query has both, checks the parts with the rare word for the common one, since the index would return all parts with
 * the common word.
 */
export async function* search(
  connection: Connection,
  query: SearchQuery,
  prepare: (scope: Scope | undefined) => Promise<unknown> = (scope) => catchUp(connection, { scope }),
): AsyncGenerator<SearchHit> {
  const words = searchWords(query.text)
  if (words.length === 0) return
  const scope = scopeOf(query)
  await prepare(scope)
  let left = query.limit ?? Number.POSITIVE_INFINITY
  if (left <= 0) return
  for await (const row of findParts(connection, words.slice(0, MAX_QUERY_WORDS), scope ?? EVERYWHERE, left)) {
    const hit = toHit(row.is_left_out ? { ...row, data: await readData(connection, row) } : row, words)
    if (!hit) continue
    yield hit
    if (--left <= 0) return
  }
}

/** Yields parts that had the words when they were indexed. A caller stops reading after `limit` hits. */
async function* findParts(connection: Connection, words: string[], scope: Scope, limit: number): AsyncGenerator<Row> {
  let cursor: Cursor | undefined
  let estimates: readonly number[] | undefined
  let found = 0
  let seen = 0
  for (let window = FIRST_WINDOW; ;) {
    const page = Math.min(limit, PAGE)
    const rows = await recentParts(connection, words, scope, cursor, { window, page })
    const hits = rows.filter(({ ends }) => !ends)
    yield* hits
    found += hits.length
    // The last page may have ended before the end of the window. If it was empty, the last row is the end of the
    // window.
    cursor = rows.at(-1)
    if (!cursor) return
    if (hits.length >= page) continue
    seen += window
    window *= WINDOW_GROWTH
    estimates ??= await Promise.all(words.map((word) => estimate(connection, word)))
    const driving = drivingWords(words, estimates, (seen * page) / Math.max(found, 0.5))
    if (driving.length === 0) continue
    yield* indexedParts(connection, words, driving, scope, cursor)
    return
  }
}

/**
 * Returns the words to look up in the index: those in few parts; otherwise the rarest one, if it is in fewer parts than a
 * scan would read; otherwise no word.
 */
export function drivingWords(words: readonly string[], estimates: readonly number[], expected: number): string[] {
  const rare = words.filter((_, index) => (estimates[index] ?? 0) <= COMMON_PARTS)
  if (rare.length > 0) return rare
  const fewest = Math.min(...estimates)
  return fewest < expected ? words.filter((_, index) => estimates[index] === fewest).slice(0, 1) : []
}

/**
 * Returns up to `page` hits among the next `window` parts before the cursor. If there are fewer, the last row marks the
 * end of the window.
 */
function recentParts(
  connection: Connection,
  words: readonly string[],
  scope: Scope,
  cursor: Cursor | undefined,
  { window, page }: { readonly window: number; readonly page: number },
): Promise<Row[]> {
  const values: Value[] = [tsquery(words), window, page]
  const before = beforeCursor(cursor, values)
  const within = bound(scope, "x.session", values)
  return connection.query<Row>(
    `WITH recent AS MATERIALIZED (
       SELECT x.part_id, x.session, x.message_id, x.words @@ $1::tsquery AS matches FROM pawl.search x
       WHERE ${before} AND ${within}
       ORDER BY x.part_id DESC, x.session DESC, x.message_id DESC LIMIT $2)
     SELECT * FROM (
       SELECT page.*, l.id AS session_id, ${dataThatFits("page")}, false AS ends FROM (
         SELECT part_id, session, message_id FROM recent WHERE matches
         ORDER BY part_id DESC, session DESC, message_id DESC LIMIT $3) page
       LEFT JOIN pawl.listing l ON l.session = page.session
       LEFT JOIN pawl.record r
         ON r.session = page.session AND r.message_id = page.message_id AND r.part_id = page.part_id
       UNION ALL (SELECT part_id, session, message_id, NULL, NULL, false, true FROM recent ORDER BY 1, 2, 3 LIMIT 1)
     ) found ORDER BY ends, part_id DESC, session DESC, message_id DESC LIMIT $3`,
    values,
  )
}

async function* indexedParts(
  connection: Connection,
  words: readonly string[],
  rare: readonly string[],
  scope: Scope,
  from: Cursor,
): AsyncGenerator<Row> {
  const common = words.filter((word) => !rare.includes(word))
  let cursor = from
  // The index returns all results each time, so the pages grow.
  for (let page = PAGE; ; page = Math.min(page * 4, MAX_PAGE)) {
    const values: Value[] = [tsquery(rare), tsquery(common), page]
    const before = beforeCursor(cursor, values)
    const within = bound(scope, "x.session", values)
    // The operator uses the index; the function does not.
    const rest = common.length > 0 ? "ts_match_vq(x.words, $2::tsquery)" : "$2::text IS NOT NULL"
    const rows = await connection.query<Row>(
      `WITH found AS MATERIALIZED (
         SELECT x.part_id, x.session, x.message_id FROM pawl.search x
         WHERE x.words @@ $1::tsquery AND ${rest} AND ${before} AND ${within}),
       page AS MATERIALIZED (
         SELECT * FROM found ORDER BY part_id DESC, session DESC, message_id DESC LIMIT $3)
       SELECT page.*, l.id AS session_id, ${dataThatFits("page")}, false AS ends FROM page
       LEFT JOIN pawl.listing l ON l.session = page.session
       LEFT JOIN pawl.record r
         ON r.session = page.session AND r.message_id = page.message_id AND r.part_id = page.part_id
       ORDER BY page.part_id DESC, page.session DESC, page.message_id DESC`,
      values,
    )
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < page) return
    cursor = last
  }
}

/** Returns SQL for the columns `data` and `is_left_out` of records `r`, newest part first. */
function dataThatFits(page: string): string {
  const fits = `coalesce(sum(octet_length(r.data)) OVER (
    ORDER BY ${page}.part_id DESC, ${page}.session DESC, ${page}.message_id DESC
    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) < ${BATCH_BYTES}`
  return `CASE WHEN ${fits} THEN r.data END AS data, NOT ${fits} AS is_left_out`
}

async function readData(connection: Connection, { session, message_id, part_id }: Cursor): Promise<string | null> {
  const [row] = await connection.query<{ data: string | null }>(
    "SELECT data FROM pawl.record WHERE session = $1 AND message_id = $2 AND part_id = $3",
    [session, message_id, part_id],
  )
  return row?.data ?? null
}

/** Estimates the number of parts with a word from PostgreSQL's statistics. */
async function estimate(connection: Connection, word: string): Promise<number> {
  const [row] = await connection.query<{ "QUERY PLAN": readonly { Plan: { "Plan Rows": number } }[] }>(
    "EXPLAIN (FORMAT JSON) SELECT FROM pawl.search x WHERE x.words @@ $1::tsquery",
    [tsquery([word])],
  )
  return row?.["QUERY PLAN"][0]?.Plan["Plan Rows"] ?? 0
}

/** Words contain only letters, digits and marks, so they cannot end the quotes. */
function tsquery(words: readonly string[]): string {
  return words.map((word) => `'${word}':*`).join(" & ")
}

function beforeCursor(cursor: Cursor | undefined, values: Value[]): string {
  if (!cursor) return "true"
  const places = [cursor.part_id, cursor.session, cursor.message_id].map((value) => `$${values.push(value)}`)
  return `(x.part_id, x.session, x.message_id) < (${places[0]}, ${places[1]}::bigint, ${places[2]})`
}

const EVERYWHERE: Scope = { condition: () => "true", values: [] }

/** Returns undefined for all sessions. */
function scopeOf({ sessionID, directory, projectID }: SearchQuery): Scope | undefined {
  const terms: [sql: string, ...values: Value[]][] = []
  if (sessionID !== undefined) terms.push(["l.id = ?", toColumn(sessionID)])
  if (directory !== undefined) {
    const column = toColumn(directory)
    terms.push([sameDirectory("?"), column, column])
  }
  if (projectID !== undefined) terms.push(["l.project_id = ?", toColumn(projectID)])
  if (terms.length === 0) return undefined
  const conditions = terms.map(([sql]) => sql).join(" AND ")
  return {
    condition: (column) => `${column} IN (SELECT l.session FROM pawl.listing l WHERE ${conditions})`,
    values: terms.flatMap(([, ...values]) => values),
  }
}

/**
 * Returns undefined if the part was written again or removed since it was indexed, and does not have the words any
 * more.
 */
function toHit(row: Row, words: readonly string[]): SearchHit | undefined {
  if (row.session_id === null || row.data === null) return undefined
  const sessionID = fromColumn(row.session_id) as SessionID
  const { value } = parseRecord(sessionID, { ...row, data: row.data })
  const text = value && searchText(value as Part)
  if (text === undefined || !matchesWords(searchWords(text), words)) return undefined
  return {
    sessionID,
    messageID: fromColumn(row.message_id) as MessageID,
    partID: fromColumn(row.part_id) as PartID,
    text,
  }
}
