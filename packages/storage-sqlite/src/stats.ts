import { statSync } from "node:fs"
import type { StorageStats } from "@pawl/core/storage"
import type { Connection } from "./connection.ts"
import { isUnwritable } from "./errors.ts"
import { turn, yieldTurn } from "./turn.ts"

export interface Sizes {
  readonly session_bytes: number
  readonly messages: number
  readonly message_bytes: number
  readonly parts: number
  readonly part_bytes: number
}

/**
 * Measures the sessions that changed since the last call, by the lengths in the headers of their rows, and returns the
 * sums over all sessions. Sizes that cannot be stored, as on a full disk, are measured again at the next call.
 */
export async function readStats(connection: Connection): Promise<StorageStats> {
  const unsaved: Measured[] = []
  let isWritable = true
  for (let after = 0; ; await yieldTurn()) {
    // Outside the write lock: a session may be large.
    const measured = await connection.read(() => measureSome(connection, after))
    if (measured.sizes.length > 0) {
      isWritable &&= await connection
        .write(() => {
          for (const sizes of measured.sizes) store(connection, sizes)
        })
        .then(() => true, falseIfUnwritable)
      if (!isWritable) unsaved.push(...measured.sizes)
    }
    if (measured.isAll) return connection.read(() => totals(connection, unsaved))
    after = measured.sizes.at(-1)?.session ?? 0
  }
}

function falseIfUnwritable(error: unknown): boolean {
  if (isUnwritable(error)) return false
  throw error
}

interface Measured extends Sizes {
  readonly session: number
  readonly revision: number
}

/** Measures sessions for one turn, at least one. */
function measureSome(connection: Connection, after: number): { sizes: Measured[]; isAll: boolean } {
  const hasTime = turn()
  // A session without a record, which only damage causes, has no revision.
  const rows = connection
    .statement(
      "SELECT key, last FROM (SELECT session.key AS key, session_size.revision AS known, " +
        "(SELECT max(revision) FROM record WHERE session = session.key) AS last " +
        "FROM session LEFT JOIN session_size ON session_size.session = session.key " +
        "WHERE session.key > ?) WHERE last <> ifnull(known, 0) ORDER BY key",
    )
    .iterate(after) as Iterable<unknown> as Iterable<{ key: number; last: number }>
  const sizes: Measured[] = []
  for (const { key, last } of rows) {
    sizes.push({ ...measureSession(connection, key), session: key, revision: last })
    if (!hasTime()) return { sizes, isAll: false }
  }
  return { sizes, isAll: true }
}

export function measureSession(connection: Connection, key: number): Sizes {
  return connection
    .statement(
      "SELECT ifnull(sum(bytes) FILTER (WHERE message_id = ''), 0) AS session_bytes, " +
        "count(*) FILTER (WHERE message_id <> '' AND part_id = '') AS messages, " +
        "ifnull(sum(bytes) FILTER (WHERE message_id <> '' AND part_id = ''), 0) AS message_bytes, " +
        "count(*) FILTER (WHERE part_id <> '') AS parts, " +
        "ifnull(sum(bytes) FILTER (WHERE part_id <> ''), 0) AS part_bytes " +
        "FROM (SELECT message_id, part_id, CASE WHEN data = '' " +
        "THEN (SELECT sum(octet_length(bytes)) FROM chunk WHERE chunk.record = record.key) " +
        "ELSE octet_length(data) END AS bytes FROM record WHERE session = ? AND data IS NOT NULL)",
    )
    .get(key) as unknown as Sizes
}

/** Does nothing if the session was removed meanwhile. */
function store(connection: Connection, sizes: Measured): void {
  connection
    .statement(
      "INSERT OR REPLACE INTO session_size (session, revision, session_bytes, messages, message_bytes, parts, part_bytes) " +
        "SELECT key, ?, ?, ?, ?, ?, ? FROM session WHERE key = ?",
    )
    .run(
      ...[sizes.revision, sizes.session_bytes, sizes.messages, sizes.message_bytes, sizes.parts, sizes.part_bytes],
      sizes.session,
    )
}

/** `unsaved` replaces the stored sizes of its sessions. */
function totals(connection: Connection, unsaved: readonly Measured[]): StorageStats {
  const stored = connection
    .statement(
      "SELECT count(*) AS sessions, ifnull(sum(session_bytes), 0) AS session_bytes, ifnull(sum(messages), 0) AS messages, " +
        "ifnull(sum(message_bytes), 0) AS message_bytes, ifnull(sum(parts), 0) AS parts, " +
        "ifnull(sum(part_bytes), 0) AS part_bytes FROM session_size WHERE session NOT IN (SELECT value FROM json_each(?))",
    )
    .get(JSON.stringify(unsaved.map(({ session }) => session))) as unknown as Sizes & { sessions: number }
  const sum = (field: keyof Sizes) => unsaved.reduce((total, sizes) => total + sizes[field], stored[field])
  const blob = connection
    .statement("SELECT count(*) AS count, ifnull(sum(size), 0) AS bytes FROM blob WHERE whole = 1")
    .get() as { count: number; bytes: number }
  const file = connection
    .statement("SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size")
    .get() as { bytes: number }
  const log = statSync(`${connection.path}-wal`, { throwIfNoEntry: false })?.size ?? 0
  return {
    records: {
      session: { count: stored.sessions + unsaved.length, bytes: sum("session_bytes") },
      message: { count: sum("messages"), bytes: sum("message_bytes") },
      part: { count: sum("parts"), bytes: sum("part_bytes") },
      blob: { count: blob.count, bytes: blob.bytes },
    },
    totalBytes: file.bytes + log,
  }
}
