import type { SessionID, WatchedChange } from "@pawl/core/storage"
import { fromColumn } from "./column.ts"
import type { Connection } from "./connection.ts"
import { closedError, isGivenUp, isPassing } from "./errors.ts"
import type { Listener } from "./listener.ts"
import { createWatcher, createWatchers, type WatchFilter } from "./watchers.ts"

export interface ChangeFeed {
  watch(filter: WatchFilter, signal: AbortSignal): AsyncIterable<WatchedChange>
  /** Resolves when all current watchers will be notified of later commits. */
  ready(): Promise<unknown>
  /** Looks for commits soon. */
  look(): void
  /** Call it after each own commit. */
  committed(change: WatchedChange): void
  /** Looks for commits if a watcher follows one of these sessions. */
  lookFor(sessions: readonly SessionID[]): void
  close(): Promise<void>
}

export interface ChangeFeedDeps {
  readonly connection: Connection
  /** Without a listener, looks for commits every `pollInterval`. */
  readonly listener: Listener | undefined
  readonly pollInterval: number
  /** The state of commits when the storage was opened. */
  readonly opened: Seen
}

/**
 * Maximum age of the last look, in milliseconds, from which a new watcher starts. It then misses no commit of another
 * process made at that moment, and may be notified of one from just before.
 */
const MAX_SEEN_AGE_MS = 5000

/** Interval while listening, since a process may end between a commit and its hint. */
const SAFETY_INTERVAL_MS = 3000

/** The commits at one moment: all up to `newest`, except for transactions that were still running. */
export interface Seen {
  readonly newest: string
  readonly running: string
}

interface Scan extends Seen {
  readonly id: string | null
  readonly revision: number
}

/**
 * Returns commits since `seen`, by any process, in order of transactions, and the new state. `newest` is the number of a
 * session, since the server reuses its own last numbers after a crash.
 */
export const CHANGED_SINCE = `
WITH now AS MATERIALIZED (
  SELECT coalesce((SELECT changed FROM pawl.session ORDER BY changed DESC LIMIT 1), '0'::xid8) AS newest,
    ARRAY(SELECT pg_snapshot_xip(pg_current_snapshot())) AS running)
SELECT now.newest::text AS newest, now.running::text AS running, s.id, s.revision FROM now
LEFT JOIN pawl.session s ON s.changed > $1::xid8 OR s.changed = ANY ($2::xid8[])
ORDER BY s.changed`

export async function readSeen(connection: Connection): Promise<Seen> {
  const [seen] = await connection.query<Scan>(CHANGED_SINCE, [null, null])
  return seen ?? { newest: "0", running: "{}" }
}

/**
 * Follows the server by the transactions of its sessions, which is exact even if hints are missed. Hints and own commits
 * only trigger a look.
 */
export function createChangeFeed({ connection, listener, pollInterval, opened }: ChangeFeedDeps): ChangeFeed {
  /** The state that watchers have been notified of; undefined if it has to be read. */
  let seen: Seen | undefined = opened
  let seenAt = performance.now()
  /** Own commits since then, which later watchers are not notified of. */
  const own = new Map<SessionID, number>()
  let started: Promise<unknown> = Promise.resolve()
  let running: Promise<unknown> = Promise.resolve()
  let queued: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let closed = false

  const watchers = createWatchers(() => {
    clearTimeout(timer)
    timer = undefined
    void listener?.stop()
  })

  function poll(): void {
    clearTimeout(timer)
    const interval = listener?.isListening ? Math.max(SAFETY_INTERVAL_MS, pollInterval) : pollInterval
    timer = setTimeout(() => void scan().then(rearm, fail), interval).unref()
  }
  function rearm(): void {
    if (timer) poll()
  }

  /** Starts a scan after this call. Calls made meanwhile share one scan. */
  function scan(): Promise<void> {
    queued ??= running.then(() => {
      queued = undefined
      const scanning = deliver()
      running = scanning.catch(() => {})
      return scanning
    })
    return queued
  }

  async function deliver(): Promise<void> {
    const since = seen
    const rows = await connection.query<Scan>(CHANGED_SINCE, [since?.newest ?? null, since?.running ?? null])
    seen = rows[0]
    seenAt = performance.now()
    own.clear()
    if (since === undefined) return
    for (const { id, revision } of rows) {
      if (id !== null) watchers.notify({ sessionID: fromColumn(id) as SessionID, revision })
    }
  }

  /** Ignores the failure: the next look after the server's return finds everything. */
  function fail(error: unknown): void {
    const cause = error instanceof Error ? (error.cause ?? error) : error
    if (isPassing(cause) || isGivenUp(cause)) rearm()
    else watchers.end(error as Error)
  }

  function look(): void {
    if (watchers.size > 0) scan().catch(fail)
  }

  /** The first watcher after a long time starts from a new scan. */
  function start(): void {
    if (performance.now() - seenAt > MAX_SEEN_AGE_MS) {
      seen = undefined
      started = scan().catch((error: unknown) => watchers.end(error as Error))
    }
    listener?.start()
    poll()
  }

  return {
    watch(filter, signal) {
      if (closed) throw closedError(connection.location)
      const watcher = createWatcher(filter, signal, new Map(own))
      if (watcher.ended) return watcher
      const isFirst = watchers.size === 0
      watchers.add(watcher)
      if (isFirst) start()
      look()
      return watcher
    },
    ready: () => started,
    look,
    committed({ sessionID, revision }) {
      if (performance.now() - seenAt <= MAX_SEEN_AGE_MS) own.set(sessionID, revision)
      look()
    },
    lookFor(sessions) {
      if (sessions.some((id) => watchers.wants(id))) look()
    },
    async close() {
      closed = true
      watchers.end()
      await Promise.allSettled([started, running, queued, listener?.stop()])
    },
  }
}
