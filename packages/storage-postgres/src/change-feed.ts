import type { SessionID, WatchedChange } from "@pawl/core"
import { fromColumn } from "./column.ts"
import type { Connection } from "./connection.ts"
import { closedError, isGivenUp, isPassing } from "./errors.ts"
import type { Listener } from "./listener.ts"
import { createWatcher, createWatchers, type WatchFilter } from "./watchers.ts"

export interface ChangeFeed {
  watch(filter: WatchFilter, signal: AbortSignal): AsyncIterable<WatchedChange>
  /** Resolves when everybody who watches by now will be told of what is committed from then on. */
  ready(): Promise<unknown>
  /** Looks for commits soon. */
  look(): void
  /** Call it after each own commit. */
  committed(change: WatchedChange): void
  /** Looks for commits when somebody wants to know of one of these sessions. */
  lookFor(sessions: readonly SessionID[]): void
  close(): Promise<void>
}

export interface ChangeFeedDeps {
  readonly connection: Connection
  /** Undefined: nothing listens, so this looks for commits every `pollInterval`. */
  readonly listener: Listener | undefined
  readonly pollInterval: number
  /** What had been committed when the storage was opened. */
  readonly opened: Seen
}

/**
 * Whoever begins to watch begins with what was seen last, if that is no older: then it misses nothing that another process
 * commits at that moment, and may be told of what one committed just before. In milliseconds.
 */
const FRESH = 5000

/** While something listens, this often nevertheless: a process may end between a commit and its hint. In milliseconds. */
const SAFETY_INTERVAL = 3000

/** What had been committed at one moment: all up to `newest` but those transactions that were still running. */
export interface Seen {
  readonly newest: string
  readonly running: string
}

interface Scan extends Seen {
  readonly id: string | null
  readonly revision: number
}

/**
 * What was committed since `seen`, by whatever process, in order of transactions; and what has been by now. `newest` is that
 * of a session and not the server's, whose last numbers are given out again after a crash.
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
 * Follows the server by the transactions of its sessions: exact, whatever was heard or missed. What is heard, and own
 * commits, only say when to look.
 */
export function createChangeFeed({ connection, listener, pollInterval, opened }: ChangeFeedDeps): ChangeFeed {
  /** What watchers have been told of, and since when; undefined where it is to be found out. */
  let seen: Seen | undefined = opened
  let seenAt = performance.now()
  /** Own commits since then: those who begin to watch later are not told of them. */
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
    const interval = listener?.isListening ? Math.max(SAFETY_INTERVAL, pollInterval) : pollInterval
    timer = setTimeout(() => void scan().then(rearm, fail), interval).unref()
  }
  function rearm(): void {
    if (timer) poll()
  }

  /** A scan that begins after this call; those asked for meanwhile are one. */
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

  /** A server that is away comes back; then the next look finds everything. */
  function fail(error: unknown): void {
    const cause = error instanceof Error ? (error.cause ?? error) : error
    if (isPassing(cause) || isGivenUp(cause)) rearm()
    else watchers.end(error as Error)
  }

  function look(): void {
    if (watchers.size > 0) scan().catch(fail)
  }

  /** The first one to watch after a long time begins with what is found out now. */
  function start(): void {
    if (performance.now() - seenAt > FRESH) {
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
      if (performance.now() - seenAt <= FRESH) own.set(sessionID, revision)
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
