import { blobReferences, type SessionID } from "@pawl/core"
import { setImmediate as nextTick } from "node:timers/promises"
import { fromColumn } from "./column.ts"
import { type Connection, LONG_TIMEOUT } from "./connection.ts"
import { LAST_PLACE } from "./derive-function.ts"
import { firstBytes } from "./first-bytes.ts"
import { quoted } from "./identifier.ts"
import { wordsOf } from "./part-words.ts"
import type { RecordRow } from "./record.ts"

/** Sessions in one look for work, and records in one statement. */
const SESSIONS = 100
const RECORDS = 200
/** Of these records: to make words of them takes longer than to read them. */
const BYTES = 256 * 1024

/** After so many records, statistics are made anew, by which PostgreSQL chooses how to search. */
const MANY_RECORDS = 5000

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

/** `now`: whatever is committed later has this transaction or a newer one. See the change feed for why it is a session's. */
const FIND_WORK = `
WITH newest AS MATERIALIZED (SELECT changed FROM pawl.session ORDER BY changed DESC LIMIT 1),
running AS MATERIALIZED (SELECT x AS changed FROM pg_snapshot_xip(pg_current_snapshot()) AS x ORDER BY x LIMIT 1)
SELECT now.now::text, w.* FROM (SELECT least((SELECT changed FROM newest), (SELECT changed FROM running)) AS now) now
LEFT JOIN (
  SELECT s.key, s.id, coalesce(d.revision, 0) AS revision, coalesce(d.place, 0) AS place
  FROM pawl.session s LEFT JOIN pawl.derived d ON d.session = s.key
  WHERE s.changed >= (SELECT changed FROM pawl.derived_until)
    AND s.revision > 0 AND (d.session IS NULL OR (d.revision, d.place) < (s.revision, ${LAST_PLACE}))
  ORDER BY s.changed LIMIT ${SESSIONS}
) w ON true`

/** What of a session is not yet derived, as it was written, with the session's revision at that moment. */
const READ_WORK = `
SELECT s.revision AS head, r.message_id, r.part_id, r.revision, r.place, r.data, r.counted FROM pawl.session s
LEFT JOIN LATERAL (
  ${firstBytes(
    `SELECT x.* FROM pawl.record x WHERE x.session = s.key AND x.revision >= $2 AND (x.revision, x.place) > ($2, $3)
     ORDER BY x.revision, x.place LIMIT ${RECORDS}`,
    "revision, place",
    BYTES,
  )}
) r ON true WHERE s.key = $1 ORDER BY r.revision, r.place`

/**
 * Brings what is derived from the records, the words of the search and the references to blobs, up to all that was
 * committed before the call. Each batch is a statement of its own; processes that do so at once share the work. Rejects
 * with the signal's reason between two of them.
 */
export async function catchUp(connection: Connection, signal?: AbortSignal): Promise<void> {
  let derived = 0
  for (;;) {
    const work = await connection.query<Work>(FIND_WORK)
    const sessions = work.filter(({ key }) => key !== null)
    let isAll = sessions.length < SESSIONS
    for (const session of sessions) {
      const { count, isWhole } = await deriveSession(connection, session, signal)
      derived += count
      isAll &&= isWhole
    }
    if (isAll) {
      // Whatever this look could see is done; without any, there is nothing to write.
      const until = work[0]?.now ?? null
      if (derived > 0 && until !== null) await remember(connection, until)
      break
    }
  }
  if (derived < MANY_RECORDS) return
  const index = `${quoted(connection.schema)}.search_words`
  await connection.query("SELECT gin_clean_pending_list($1::regclass)", [index], { timeout: LONG_TIMEOUT })
  await connection.query("ANALYZE pawl.search", [], { timeout: LONG_TIMEOUT })
}

/** The session's records that are not yet derived: how many it looked at, and whether these were all. */
async function deriveSession(
  connection: Connection,
  session: Work,
  signal?: AbortSignal,
): Promise<{ count: number; isWhole: boolean }> {
  let { revision, place } = session
  let count = 0
  for (;;) {
    signal?.throwIfAborted()
    const rows = await connection.query<Row>(READ_WORK, [session.key, revision, place])
    const [first] = rows
    // Removed meanwhile.
    if (!first) return { count, isWhole: true }
    const records = rows.filter((row) => row.message_id !== null)
    const last = records.at(-1)
    const counted = first.counted ?? 0
    const isWhole = !last || (counted < RECORDS && records.length === counted)
    const to = isWhole ? { revision: first.head, place: LAST_PLACE } : last
    const put = await putDerived(connection, session, { revision, place }, to, records)
    count += records.length
    // Another process came first, and may end before it is done: where it has come to is for the next look.
    if (!put || isWhole) return { count, isWhole: put }
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
