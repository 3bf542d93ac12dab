import type { Revision, SessionID } from "@pawl/core"
import type { Connection } from "./connection.ts"

/** Tells listeners of other processes that sessions changed: after the commit, which must not wait for it. */
export interface Hints {
  send(id: SessionID, revision: Revision): void
  /** Resolves when what was sent is on its way. */
  flush(): Promise<void>
}

/** PostgreSQL takes less than 8,000 bytes. */
const LONGEST_PAYLOAD = 7000

/**
 * `NOTIFY` holds a lock of the whole server until its transaction is on the disk, so it has one of its own that does not
 * wait for the disk; what is committed while one is under way goes with the next.
 */
const NOTIFY =
  "SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, payload) FROM unnest($2::text[]) AS payload"

/** PostgreSQL takes less than 64 bytes, and cuts what `LISTEN` names but not what `pg_notify` does. */
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
        // Only a hint: those who miss it look by themselves.
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

/** The source on the first line, then a session and its revision on each. */
export function toPayloads(source: string, changes: ReadonlyMap<SessionID, Revision>): string[] {
  const payloads: string[] = []
  let current = source
  for (const [id, revision] of changes) {
    const line = `\n${JSON.stringify(id)} ${revision}`
    // One that is too long for a hint says that something changed.
    if (Buffer.byteLength(line) > LONGEST_PAYLOAD / 2) return [source]
    if (Buffer.byteLength(current + line) > LONGEST_PAYLOAD) {
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
