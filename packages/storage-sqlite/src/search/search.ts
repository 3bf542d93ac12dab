import { matchesWords, type Part, searchText, searchWords } from "@pawl/core/storage"
import type { LongWork, SearchHit, SearchQuery } from "@pawl/core/storage"
import type { Connection } from "../connection.ts"
import { isUnwritable } from "../errors.ts"
import { readProgress } from "../progress.ts"
import { parseRecord } from "../record.ts"
import { catchUpSearch } from "./catch-up.ts"
import { type HitRow, toSearchHit } from "./hit.ts"
import { matchIn } from "./match.ts"
import { scanParts, type ScannedPage } from "./scan.ts"
import { createScope, type Scope } from "./scope.ts"
import { yieldTurn } from "../turn.ts"
import { tableOf, volumesOf } from "./volumes.ts"

const PAGE = 50

/** Yields hits, newest write first. Each page is a separate read, so that a slow reader does not block others. */
export async function* search(
  connection: Connection,
  query: SearchQuery,
  work: LongWork = {},
): AsyncGenerator<SearchHit> {
  const words = searchWords(query.text)
  let left = query.limit ?? Number.POSITIVE_INFINITY
  if (words.length === 0 || left <= 0) {
    // Throws if the storage is closed.
    await connection.read(() => undefined)
    return
  }
  for await (const hit of hitsBehindIndex(connection, query, words, left, work)) {
    yield hit
    left--
  }
  let position: Position | undefined = { volume: Number.MAX_SAFE_INTEGER, before: Number.MAX_SAFE_INTEGER }
  while (position && left > 0) {
    const [from, size]: [Position, number] = [position, Math.min(PAGE, left)]
    const page: Page = await connection.read(() => hitsFrom(connection, query, words, from, size))
    yield* page.hits
    left -= page.hits.length
    position = page.next
  }
}

/** Brings the index up to date. Yields the hits in what it still lacks, if the file cannot be written. */
async function* hitsBehindIndex(
  connection: Connection,
  query: SearchQuery,
  words: readonly string[],
  limit: number,
  work: LongWork,
): AsyncGenerator<SearchHit> {
  try {
    await catchUpSearch(connection, work)
    return
  } catch (error) {
    if (work.signal?.aborted) return
    if (!isUnwritable(error)) throw error
  }
  const after = await connection.read(() => readProgress(connection, "search"))
  let left = limit
  for (
    let before: number | undefined = Number.MAX_SAFE_INTEGER;
    before !== undefined && left > 0 && !work.signal?.aborted;
  ) {
    const range: { after: number; before: number; size: number } = { after, before, size: Math.min(PAGE, left) }
    const page: ScannedPage = await connection.read(() => scanParts(connection, query, words, range))
    yield* page.hits
    left -= page.hits.length
    before = page.next
    await yieldTurn()
  }
}

/** Continues in this volume, with keys below this one. */
interface Position {
  readonly volume: number
  readonly before: number
}

interface Page {
  readonly hits: SearchHit[]
  readonly next: Position | undefined
}

function hitsFrom(
  connection: Connection,
  query: SearchQuery,
  words: readonly string[],
  from: Position,
  size: number,
): Page {
  const scope = createScope(connection, query)
  for (const { number } of volumesOf(connection)) {
    if (number > from.volume) continue
    const match = scope.has(number) ? matchIn(connection, number, words, scope.sessionsIn(number)) : undefined
    if (!match) continue
    const before = number === from.volume ? from.before : Number.MAX_SAFE_INTEGER
    const rows = rowsOf(connection, { number, match: match.expression, before, scope, size })
    const last = rows.at(-1)
    if (!last) continue
    const next = { volume: rows.length < size ? number - 1 : number, before: last.key }
    return { hits: rows.flatMap((row) => toHit(connection, row, match.isWhole ? [] : words) ?? []), next }
  }
  return { hits: [], next: undefined }
}

function rowsOf(
  connection: Connection,
  asked: { number: number; match: string; before: number; scope: Scope; size: number },
): HitRow[] {
  const { number, match, before, scope, size } = asked
  const table = tableOf(number)
  // CROSS JOIN keeps this order. An entry finds no row if its record was removed or written again.
  return connection
    .statement(
      "SELECT record.key AS key, session.id AS session_id, message_id, part_id, revision, data " +
        `FROM ${table} CROSS JOIN record ON record.key = ${table}.rowid CROSS JOIN session ON session.key = record.session ` +
        `WHERE ${table} MATCH ? AND ${table}.rowid < ? ${scope.sql}ORDER BY ${table}.rowid DESC LIMIT ?`,
    )
    .all(match, before, ...scope.values, size) as unknown as HitRow[]
}

/** Returns undefined if the part lacks one of the words that were not in the index query. */
function toHit(connection: Connection, row: HitRow, words: readonly string[]): SearchHit | undefined {
  const { value } = parseRecord(connection, row)
  const text = value === undefined ? undefined : searchText(value as Part)
  if (text === undefined || (words.length > 0 && !matchesWords(searchWords(text), words))) return undefined
  return toSearchHit(row, text)
}
