import type { LongWork, Session, StorageProblem } from "@pawl/core/storage"
import { toColumn, toReadable } from "./column.ts"
import { abortable, type Connection, LONG_TIMEOUT_MS } from "./connection.ts"
import { catchUp } from "./derive.ts"
import { listingColumns } from "./listing.ts"
import { sessionColumns, type SessionRow, toSession } from "./read-session.ts"
import { setAsideOrphans } from "./orphans.ts"
import { purgeRemoved } from "./purge.ts"
import { orphan, parseRecord } from "./record.ts"
import { everyRecord, everySession, ownRecord, type SessionHead, type StoredRow } from "./whole-record.ts"

/**
 * Moves a record to the quarantine, unless it was written again since it was read. Readers see the removal as a change.
 */
const SET_ASIDE = `
WITH head AS (
  UPDATE pawl.session SET revision = revision + 1, changed = pg_current_xact_id() WHERE key = $1
    AND EXISTS (SELECT FROM pawl.record r WHERE r.session = $1 AND r.message_id = $2 AND r.part_id = $3 AND r.data = $4)
  RETURNING id, revision),
damaged AS (
  INSERT INTO pawl.set_aside (session_id, message_id, part_id, revision, data, reason)
  SELECT head.id, $2, $3, head.revision, $4, $5 FROM head)
UPDATE pawl.record r SET data = $6, revision = head.revision, place = 1 FROM head
WHERE r.session = $1 AND r.message_id = $2 AND r.part_id = $3 AND r.data = $4`

/**
 * Resets derived data. The next update finds the session by its new `changed` and starts with its first record. Old
 * words and references stay until then, so that every blob in use keeps a reference.
 */
const FORGET = `
WITH touched AS (UPDATE pawl.session SET changed = pg_current_xact_id() WHERE key = $1)
DELETE FROM pawl.derived WHERE session = $1`

/** Deletes derived data without a record. */
const FORGET_STRAY = ["search", "blob_reference"].map(
  (table) => `
WITH gone AS (
  DELETE FROM pawl.${table} x WHERE x.ctid = ANY (ARRAY(
    SELECT y.ctid FROM pawl.${table} y WHERE NOT EXISTS (
      SELECT FROM pawl.record r WHERE r.session = y.session AND r.message_id = y.message_id AND r.part_id = y.part_id
        AND r.data IS NOT NULL) LIMIT 1000)) RETURNING x.session)
SELECT count(*) AS count FROM gone`,
)

/** Rebuilds one session after another. After an interruption the next call starts again; completed work stays valid. */
export async function rebuild(server: Connection, work: LongWork = {}): Promise<void> {
  work.signal?.throwIfAborted()
  const connection = abortable(server, work.signal)
  await purgeRemoved(connection, work.signal)
  await setAsideOrphans(connection)
  for await (const session of everySession(connection, work)) {
    await setAsideDamaged(connection, session)
    await putListing(connection, session)
    await connection.query(FORGET, [session.key])
  }
  for (const sql of FORGET_STRAY) while (await deletes(connection, sql));
  await catchUp(connection, { signal: work.signal })
}

async function deletes(connection: Connection, sql: string): Promise<boolean> {
  const [gone] = await connection.query<{ count: number }>(sql, [], { timeout: LONG_TIMEOUT_MS })
  return (gone?.count ?? 0) > 0
}

async function setAsideDamaged(connection: Connection, session: SessionHead): Promise<void> {
  let message: string | undefined
  for await (const rows of everyRecord(connection, session.key)) {
    for (const row of rows.filter(({ message_id: id }) => id !== "")) {
      const { problem } = parseRecord(session.id, row)
      if (problem) await setAside(connection, session, row, problem)
      else if (row.part_id === "") message = row.message_id
      else if (row.message_id !== message) await setAside(connection, session, row, orphan(session.id, row))
    }
  }
  const own = await ownRecord(connection, session.key)
  const { problem } = own ? parseRecord(session.id, own) : {}
  if (own && problem) await setAside(connection, session, own, problem, await listedJSON(connection, session))
}

async function setAside(
  connection: Connection,
  { key }: SessionHead,
  row: StoredRow,
  problem: StorageProblem,
  replacement: string | null = null,
): Promise<void> {
  await connection.query(SET_ASIDE, [
    key,
    row.message_id,
    row.part_id,
    row.data,
    toReadable(problem.message),
    replacement,
  ])
}

/** Returns JSON for the session's own record from its columns in the session list. */
async function listedJSON(connection: Connection, { id }: SessionHead): Promise<string> {
  const [row] = await connection.query<SessionRow>(`SELECT ${sessionColumns} WHERE l.id = $1`, [toColumn(id)])
  const listed = row ?? {
    id: toColumn(id),
    data: "",
    parent_id: null,
    project_id: "",
    directory: "",
    title: "",
    archived: false,
    boundary: null,
  }
  return JSON.stringify(toSession(listed).session)
}

async function putListing(connection: Connection, { key, id }: SessionHead): Promise<void> {
  const own = await ownRecord(connection, key)
  const { value } = own ? parseRecord(id, own) : {}
  if (!value) return
  await connection.query("SELECT pawl.restore_listing($1, $2, $3, $4)", [
    key,
    toColumn(id),
    listingColumns(value as Session),
    own?.data ?? "",
  ])
}
