import type { Session, SessionID } from "@pawl/core/storage"
import type { DatabaseSync } from "node:sqlite"
import { fromColumn } from "../column.ts"
import { isSession } from "../record-shape.ts"
import { insertSessionRow } from "../session-row.ts"

/** Assigns the found records to sessions, keeps the newest ones, and creates a row for each session. */
export function settleRecords(db: DatabaseSync): void {
  db.exec(owners)
  db.exec(newest)
  db.exec(removed)
  for (const { id } of db.prepare(everySession).all() as { id: string }[]) settleSession(db, id)
  db.exec(rest)
}

/**
 * Assigns each record to the session that it names, because keys of sessions are reused. A damaged record belongs to the
 * session of the newest other record with the same key, or else of the row with that key.
 */
const owners = `
UPDATE found_record SET id = CASE WHEN message_id = '' THEN data ->> '$.id' ELSE data ->> '$.sessionID' END
  WHERE json_valid(data);
CREATE TEMP TABLE owner (session INTEGER PRIMARY KEY, id TEXT, key INTEGER);
INSERT INTO owner SELECT session, id, max(key) FROM found_record WHERE id IS NOT NULL GROUP BY session;
INSERT OR IGNORE INTO owner SELECT key, id, max(rowid) FROM found_session GROUP BY key;
UPDATE found_record SET id = (SELECT id FROM owner WHERE owner.session = found_record.session) WHERE id IS NULL;
INSERT INTO quarantine (session_id, message_id, part_id, revision, data, reason, time)
  SELECT '', message_id, part_id, revision, CAST(data AS BLOB), 'belongs to no session', unixepoch() * 1000
  FROM found_record WHERE id IS NULL AND data IS NOT NULL;
DELETE FROM found_record WHERE id IS NULL;
`

const newest = `
CREATE INDEX temp.found_record_id ON found_record (id, message_id, part_id, key);
DELETE FROM found_record WHERE EXISTS (SELECT 1 FROM found_record AS newer WHERE newer.id = found_record.id
  AND newer.message_id = found_record.message_id AND newer.part_id = found_record.part_id AND newer.key > found_record.key);
DELETE FROM found_record WHERE EXISTS
  (SELECT 1 FROM removed_session WHERE removed_session.id = found_record.id AND removed_session.key > found_record.key);
DELETE FROM found_session WHERE id IN (SELECT id FROM removed_session) AND id NOT IN (SELECT id FROM found_record);
`

/** Clears the keys of removed sessions, because they have no records and other sessions use the keys in the new file. */
const removed = "UPDATE removed_session SET session = NULL, rest = 0"

const everySession = "SELECT id FROM found_record UNION SELECT id FROM found_session"

const rest = `
INSERT INTO chunk (record, position, bytes)
  SELECT record, position, bytes FROM found_chunk JOIN main.record ON record.key = found_chunk.record AND data = '';
INSERT INTO lease
  SELECT session.key, owner, max(epoch), ttl, expires, boot, host, pid, process_start FROM found_lease
  JOIN owner ON owner.session = found_lease.session JOIN main.session ON session.id = owner.id GROUP BY session.key;
`

function settleSession(db: DatabaseSync, column: string): void {
  const record = db
    .prepare("SELECT data FROM found_record WHERE id = ? AND message_id = '' AND part_id = '' AND data IS NOT NULL")
    .get(column) as { data: string } | undefined
  const session = parse(record?.data) ?? remembered(db, column)
  const key = insertSessionRow({ statement: (sql) => db.prepare(sql) }, session.id, session)
  db.prepare(
    "INSERT INTO record (key, session, message_id, part_id, revision, data) " +
      "SELECT key, ?, message_id, part_id, revision, data FROM found_record WHERE id = ?",
  ).run(key, column)
  // A record in chunks, or a damaged one, stays unchanged.
  if (record) return
  db.prepare(
    "INSERT INTO record (key, session, message_id, part_id, revision, data) SELECT " +
      "1 + max((SELECT ifnull(max(key), 0) FROM found_record), (SELECT ifnull(max(key), 0) FROM removed_session), " +
      "(SELECT ifnull(max(key), 0) FROM record)), ?, '', '', 1 + (SELECT ifnull(max(revision), 0) FROM record WHERE session = ?), ?",
  ).run(key, key, JSON.stringify(session))
}

function parse(data: string | undefined): Session | undefined {
  try {
    const value: unknown = JSON.parse(data ?? "")
    return isSession(value) ? value : undefined
  } catch {
    return undefined
  }
}

interface Found {
  readonly parent_id: string | null
  readonly project_id: string
  readonly directory: string
  readonly title: string
  readonly archived: number
}

/** Builds a session from the session list, if its record is lost. */
function remembered(db: DatabaseSync, column: string): Session {
  const row = db.prepare("SELECT * FROM found_session WHERE id = ? ORDER BY rowid DESC LIMIT 1").get(column) as
    | Found
    | undefined
  return {
    id: fromColumn(column) as SessionID,
    projectID: fromColumn(row?.project_id ?? "unknown"),
    directory: fromColumn(row?.directory ?? "/"),
    ...(row?.parent_id && { parentID: fromColumn(row.parent_id) as SessionID }),
    title: row?.title ?? "Recovered session",
    version: "",
    time: { created: 0, updated: 0, ...(row?.archived === 1 && { archived: 0 }) },
  }
}
