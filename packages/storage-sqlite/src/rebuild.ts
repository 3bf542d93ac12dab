import type { LongWork, Message, MessageID, Part, PartID, Session } from "@pawl/core/storage"
import { fromColumn } from "./column.ts"
import type { Connection } from "./connection.ts"
import { damageError } from "./errors.ts"
import { writeProgress } from "./progress.ts"
import { setAside } from "./quarantine.ts"
import { lastKey, parseRecord, putRecord } from "./record.ts"
import { deleteRemoved } from "./remove-session.ts"
import { scanRecords, type ScannedRow } from "./record-scan.ts"
import { catchUpReferences } from "./references.ts"
import { catchUpSearch } from "./search/catch-up.ts"
import { detachVolumes, dropDetached } from "./search/volumes.ts"
import { insertSessionRow, sessionFromRow, updateSessionRow } from "./session-row.ts"
import { yieldTurn } from "./turn.ts"

/**
 * Sets unreadable records aside, then rebuilds lists, references, sizes and the search index in short transactions. An
 * interrupted call can be repeated; its finished work stays.
 */
export async function rebuild(connection: Connection, { signal, onProgress }: LongWork = {}): Promise<void> {
  signal?.throwIfAborted()
  await rebuildIndexes(connection, signal)
  await deleteRemoved(connection, signal)
  const total = await connection.read(() => lastKey(connection))
  const wanted = (row: ScannedRow) => (needsWork(connection, row) ? row : undefined)
  for await (const { found, upTo } of scanRecords(connection, wanted, signal)) {
    for (const row of found) await connection.write(() => mend(connection, row))
    onProgress?.(Math.min(upTo, total), total)
  }
  await connection.write(() => restoreSessions(connection))
  await connection.write(() => {
    connection.exec("DELETE FROM session_size")
    forgetDerived(connection)
  })
  await catchUpReferences(connection, signal)
  while (await connection.write(() => dropDetached(connection))) await yieldTurn(signal)
  await catchUpSearch(connection, { signal })
}

/** Only where SQLite finds that one does not agree with its table: it holds the write lock for as long as it takes. */
async function rebuildIndexes(connection: Connection, signal?: AbortSignal): Promise<void> {
  for (const table of ["session", "record", "chunk", "blob", "blob_piece", "reference", "removed_session"]) {
    const check = () => connection.statement(`PRAGMA integrity_check(${table})`).all()
    const rows = await connection.read(check)
    if (rows.some((row) => row["integrity_check"] !== "ok")) {
      await connection.write(() => {
        try {
          connection.exec(`REINDEX ${table}`)
        } catch (error) {
          throw damageError(`an index of ${table} cannot be rebuilt: ${(error as Error).message}`, error)
        }
      })
    }
    await yieldTurn(signal)
  }
}

function forgetDerived(connection: Connection): void {
  connection.exec("DELETE FROM reference")
  writeProgress(connection, "reference", 0)
  detachVolumes(connection)
}

function needsWork(connection: Connection, row: ScannedRow): boolean {
  return row.message_id === "" || reasonToSetAside(connection, row) !== undefined
}

function reasonToSetAside(connection: Connection, row: ScannedRow): string | undefined {
  const { value, reason } = parseRecord(connection, row)
  if (reason !== undefined) return reason
  const named = row.message_id === "" ? (value as Session).id : (value as Message | Part).sessionID
  if (row.sessionID === undefined) return row.message_id === "" ? undefined : "belongs to no session"
  if (named !== row.sessionID) return `names session ${named}`
  return row.part_id !== "" && !hasMessage(connection, row) ? "is a part of a message that is not there" : undefined
}

/** Asked again, in case that the message was written since the part was looked at. */
function hasMessage(connection: Connection, { session, message_id, hasMessage }: ScannedRow): boolean {
  const find = connection.statement(
    "SELECT 1 FROM record WHERE session = ? AND message_id = ? AND part_id = '' AND data IS NOT NULL",
  )
  return hasMessage || find.get(session, message_id) !== undefined
}

function mend(connection: Connection, row: ScannedRow): void {
  const current = connection.statement("SELECT 1 FROM record WHERE key = ? AND data IS NOT NULL").get(row.key)
  // Written again since it was looked at.
  if (!current) return
  const reason = reasonToSetAside(connection, row)
  if (reason === undefined) {
    if (row.message_id === "") mendSessionRow(connection, row, parseRecord(connection, row).value as Session)
    return
  }
  setAside(connection, row.sessionID ?? "", row, reason)
  if (row.sessionID === undefined) {
    connection.statement("DELETE FROM record WHERE key = ?").run(row.key)
    // The key may be reused, by a record that the index would then skip.
    forgetDerived(connection)
    return
  }
  replaceBy(connection, row, null)
  // Its parts come later in the scan, by their keys, or came before: they cannot be read without it.
  if (row.part_id === "" && row.message_id !== "") setPartsAside(connection, row)
}

function setPartsAside(connection: Connection, message: ScannedRow): void {
  const parts = connection
    .statement(
      "SELECT key, message_id, part_id, revision, data FROM record WHERE session = ? AND message_id = ? AND part_id <> '' AND data IS NOT NULL",
    )
    .all(message.session, message.message_id) as unknown as ScannedRow[]
  for (const part of parts) {
    setAside(connection, message.sessionID ?? "", part, "is a part of a message that cannot be read")
    replaceBy(connection, { ...part, session: message.session }, null)
  }
}

/** As a commit of its own, so that watchers and readers of changes learn of it. */
function replaceBy(
  connection: Connection,
  row: Pick<ScannedRow, "session" | "message_id" | "part_id">,
  json: string | null,
): void {
  const last = connection.statement("SELECT max(revision) AS revision FROM record WHERE session = ?").get(row.session)
  putRecord(connection, {
    key: lastKey(connection) + 1,
    session: row.session,
    revision: Number(last?.["revision"] ?? 0) + 1,
    id: { messageID: fromColumn(row.message_id) as MessageID, partID: fromColumn(row.part_id) as PartID },
    json,
  })
}

function mendSessionRow(connection: Connection, row: ScannedRow, session: Session): void {
  if (row.sessionID === undefined) insertSessionRow(connection, session.id, session, row.session)
  else updateSessionRow(connection, row.session, session)
}

/** Recreates missing or unreadable session records from the session list. */
function restoreSessions(connection: Connection): void {
  const keys = connection
    .statement(
      "SELECT key FROM session WHERE NOT EXISTS " +
        "(SELECT 1 FROM record WHERE session = session.key AND message_id = '' AND part_id = '' AND data IS NOT NULL)",
    )
    .all() as { key: number }[]
  for (const { key } of keys) {
    const session = sessionFromRow(connection, key)
    if (session) replaceBy(connection, { session: key, message_id: "", part_id: "" }, JSON.stringify(session))
  }
}
