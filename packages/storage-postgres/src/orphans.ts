import type { StorageProblem } from "@pawl/core/storage"
import { fromColumn, toColumn, toReadable } from "./column.ts"
import type { Connection } from "./connection.ts"
import { firstBytes } from "./first-bytes.ts"
import { everyRecord, type StoredRow } from "./whole-record.ts"

/** Tables derived from records, by their session's key. */
const DERIVED_TABLES = ["listing", "derived", "search", "blob_reference"] as const

const MAX_ROWS = 1000

/** Returns a condition for rows whose session is missing although it was not removed. */
const isOrphan = (row: string): string =>
  `NOT EXISTS (SELECT FROM pawl.session s WHERE s.key = ${row}.session AND s.revision > 0)
   AND NOT EXISTS (SELECT FROM pawl.removed g WHERE g.session = ${row}.session)`

interface OrphanKey {
  readonly key: number
  /** From the session list. */
  readonly id: string | null
}

/** Reports records, and data derived from records, whose session is missing. */
export async function* verifyOrphans(connection: Connection): AsyncGenerator<StorageProblem> {
  for (const orphan of await orphanKeys(connection)) {
    for await (const rows of everyRecord(connection, orphan.key)) {
      const session = sessionName(orphan, rows)
      for (const row of rows) yield withoutSession(session, row)
    }
  }
  const listed = await connection.query<{ id: string }>(
    `SELECT l.id FROM pawl.listing l WHERE ${isOrphan("l")} ORDER BY l.id`,
  )
  for (const { id } of listed) {
    const message = `The list shows session ${fromColumn(id)}, which is not there. Rebuild the storage.`
    yield { kind: "derived", subject: fromColumn(id), message }
  }
  const references = await connection.query<{ blob: string }>(
    `SELECT DISTINCT f.blob FROM pawl.blob_reference f WHERE ${isOrphan("f")} ORDER BY f.blob`,
  )
  for (const { blob } of references) {
    const message = `Blob ${blob} is kept for a session that is not there. Rebuild the storage.`
    yield { kind: "reference", subject: blob, message }
  }
  const [found] = await connection.query<{ count: number }>(
    `SELECT count(*) AS count FROM pawl.search x WHERE ${isOrphan("x")}`,
  )
  if (!found || found.count === 0) return
  const message = `The search knows ${found.count} parts of sessions that are not there. Rebuild the storage.`
  yield { kind: "derived", subject: "search", message }
}

/**
 * Moves the findings of `verifyOrphans` to the quarantine and deletes their derived data, a limited number per
 * statement.
 */
export async function setAsideOrphans(connection: Connection): Promise<void> {
  for (const orphan of await orphanKeys(connection)) {
    const [rows = []] = await firstOf(everyRecord(connection, orphan.key))
    const session = sessionName(orphan, rows)
    while ((await setSomeAside(connection, orphan.key, session)) > 0);
  }
  for (const table of DERIVED_TABLES) while ((await forgetSome(connection, table)) > 0);
}

function orphanKeys(connection: Connection): Promise<OrphanKey[]> {
  return connection.query<OrphanKey>(
    `SELECT r.session AS key, l.id FROM (SELECT DISTINCT r.session FROM pawl.record r WHERE ${isOrphan("r")}) r
     LEFT JOIN pawl.listing l ON l.session = r.session ORDER BY r.session`,
  )
}

async function setSomeAside(connection: Connection, key: number, session: string): Promise<number> {
  const rows = `SELECT r.* FROM pawl.record r WHERE r.session = $1 AND ${isOrphan("r")}
    ORDER BY r.message_id, r.part_id LIMIT ${MAX_ROWS}`
  const [moved] = await connection.query<{ count: number }>(
    `WITH batch AS (${firstBytes(rows, "message_id, part_id")}),
     moved AS (
       DELETE FROM pawl.record r USING batch b
       WHERE r.session = $1 AND r.message_id = b.message_id AND r.part_id = b.part_id
       RETURNING r.message_id, r.part_id, r.revision, r.data),
     kept AS (
       INSERT INTO pawl.set_aside (session_id, message_id, part_id, revision, data, reason)
       SELECT $2, m.message_id, m.part_id, m.revision, m.data, $3 FROM moved m WHERE m.data IS NOT NULL)
     SELECT count(*) AS count FROM moved`,
    [key, toColumn(session), toReadable(`Session ${session} is not there.`)],
  )
  return moved?.count ?? 0
}

async function forgetSome(connection: Connection, table: (typeof DERIVED_TABLES)[number]): Promise<number> {
  const [gone] = await connection.query<{ count: number }>(
    `WITH gone AS (
       DELETE FROM pawl.${table} x WHERE x.ctid = ANY (ARRAY(
         SELECT y.ctid FROM pawl.${table} y WHERE ${isOrphan("y")} LIMIT ${MAX_ROWS})) RETURNING x.session)
     SELECT count(*) AS count FROM gone`,
  )
  return gone?.count ?? 0
}

/** Returns the id from the session list or from one of the records. */
function sessionName({ key, id }: OrphanKey, rows: readonly StoredRow[]): string {
  if (id !== null) return fromColumn(id)
  for (const row of rows) {
    const name = namedIn(row)
    if (name !== undefined) return name
  }
  return `number ${key}`
}

function namedIn({ message_id, data }: StoredRow): string | undefined {
  try {
    const { id, sessionID } = JSON.parse(data) as { readonly id?: unknown; readonly sessionID?: unknown }
    const name = message_id === "" ? id : sessionID
    return typeof name === "string" ? name : undefined
  } catch {
    return undefined
  }
}

function withoutSession(session: string, { message_id, part_id }: StoredRow): StorageProblem {
  const subject = fromColumn(part_id || message_id) || session
  const message = `The record ${subject} is left out: its session ${session} is not there. Restore a backup, or rebuild the storage to set it aside.`
  return { kind: "reference", subject, message }
}

async function firstOf<T>(items: AsyncGenerator<T>): Promise<T[]> {
  for await (const item of items) return [item]
  return []
}
