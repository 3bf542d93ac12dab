import type { Revision, SessionID } from "@pawl/core/storage"
import type { Connection } from "./connection.ts"

/** Notifies other processes about changed sessions after the commit. The commit does not wait for it. */
export interface Hints {
  send(id: SessionID, revision: Revision): void
  /** Resolves when all hints have been sent. */
  flush(): Promise<void>
}

/** PostgreSQL accepts fewer than 8,000 bytes. */
const MAX_PAYLOAD_BYTES = 7000

/**
 * `NOTIFY` holds a lock of the whole server until its transaction is synced, so it runs in a transaction of its own
 * without sync. Changes that are committed meanwhile are sent with the next one.
 */
const NOTIFY =
  "SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, payload) FROM unnest($2::text[]) AS payload"

/** PostgreSQL accepts fewer than 64 bytes. It truncates the name for `LISTEN`, but not for `pg_notify`. */
export function channelOf(schema: string): string {
  return Buffer.from(`pawl:${schema}`).subarray(0, 60).toString()
}

/** `source` identifies this process, which ignores its own hints. */
export function createHints(connection: Connection, channel: string, source: string): Hints {
  const pending = new Map<SessionID, Revision>()
  let sending: Promise<void> | undefined

  async function sendAll(): Promise<void> {
    while (pending.size > 0) {
      const payloads = toPayloads(source, pending)
      pending.clear()
      try {
        await connection.query(NOTIFY, [channel, payloads])
      } catch {
        // Losing a hint is safe, since watchers also poll.
      }
    }
    sending = undefined
  }

  return {
    send(id, revision) {
      pending.set(id, revision)
      sending ??= sendAll()
    },
    flush: async () => sending,
  }
}

/** Returns payloads with the source on the first line, then a session and its revision per line. */
export function toPayloads(source: string, changes: ReadonlyMap<SessionID, Revision>): string[] {
  const payloads: string[] = []
  let current = source
  for (const [id, revision] of changes) {
    const line = `\n${JSON.stringify(id)} ${revision}`
    // The session does not fit into a hint, so the hint only reports a change.
    if (Buffer.byteLength(line) > MAX_PAYLOAD_BYTES / 2) return [source]
    if (Buffer.byteLength(current + line) > MAX_PAYLOAD_BYTES) {
      payloads.push(current)
      current = source
    }
    current += line
  }
  return [...payloads, current]
}

/** Parses a hint. Undefined if it does not name sessions; empty for own hints. Any client of the server can send hints. */
export function changedSessions(payload: string, source: string): SessionID[] | undefined {
  const [from, ...lines] = payload.split("\n")
  if (from === source) return []
  if (lines.length === 0) return undefined
  try {
    return lines.map((line) => JSON.parse(line.slice(0, line.lastIndexOf(" "))) as SessionID)
  } catch {
    return undefined
  }
}
