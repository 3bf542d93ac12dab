import type { Revision, SessionID, WatchedChange } from "@pawl/core/storage"
import type { FSWatcher } from "chokidar"
import { closedError } from "./errors.ts"
import type { FileStatus } from "./file-system.ts"
import { isSame } from "./journal.ts"
import { changesPath, JOURNALS } from "./layout.ts"
import { fromName } from "./record-name.ts"
import { visibleRevision } from "./session-head.ts"
import type { Store } from "./store.ts"
import { createWatchers } from "@pawl/storage-kit"

export interface ChangeFeed {
  watch(filter: { readonly sessionID?: SessionID }, signal: AbortSignal): AsyncIterable<WatchedChange>
  /** Reports a commit or removal by this handle. */
  tell(change: WatchedChange): void
  close(): Promise<void>
}

/** The last observed state of a session's journal. */
interface Seen {
  readonly journal: FileStatus | undefined
  readonly log: FileStatus | undefined
  readonly revision: Revision
}

/** Minimum time between two scans, however many events arrive. */
const POLL_MS = 10

/**
 * Follows the small directory of journals, which each commit of any process changes. File system events only trigger a
 * scan: changes are found by revision, and polling finds changes without an event. Never writes.
 */
export function createChangeFeed(store: Store, directory: string, location: string, pollInterval: number): ChangeFeed {
  const seen = new Map<string, Seen>()
  let following: Following | undefined
  let closed = false

  const watchers = createWatchers((size) => {
    if (size > 0) following ??= follow(directory, pollInterval, look)
    if (size > 0 || !following) return
    void following.end()
    following = undefined
    seen.clear()
  })

  /** Scans the directory and reports each session whose revision has changed. */
  function look(): void {
    try {
      for (const [id, revision] of changed(store, seen)) watchers.notify({ sessionID: id as SessionID, revision })
    } catch (error) {
      watchers.end(error as Error)
    }
  }

  return {
    watch(filter, signal) {
      const isFirst = watchers.size === 0
      if (!isFirst) look()
      const changes = watchers.watch(filter, signal)
      if (closed) watchers.end(closedError(location))
      else if (isFirst) changed(store, seen)
      return changes
    },
    tell(change) {
      if (watchers.size === 0 || seen.get(change.sessionID)?.revision === change.revision) return
      remember(store, seen, change.sessionID, change.revision)
      watchers.notify(change)
    },
    async close() {
      closed = true
      const last = following
      watchers.end()
      await last?.end()
    },
  }
}

interface Following {
  end(): Promise<void>
}

/** Calls `look` soon after an event in the directory, and periodically. Does not keep the process alive. */
function follow(directory: string, pollInterval: number, look: () => void): Following {
  let timer: NodeJS.Timeout | undefined
  let ended = false
  const poll = setInterval(look, pollInterval).unref()
  const hint = () => {
    if (ended) return
    timer ??= setTimeout(() => {
      timer = undefined
      look()
    }, POLL_MS).unref()
  }
  const starting = startWatcher(directory, hint).catch(() => undefined)
  return {
    async end() {
      ended = true
      clearInterval(poll)
      clearTimeout(timer)
      await (await starting)?.close()
    },
  }
}

/** Listens to raw events, too: two commits within one tick of the file's clock cause only one `change` event. */
async function startWatcher(directory: string, hint: () => void): Promise<FSWatcher> {
  const { watch } = await import("chokidar")
  const watcher = watch(directory, { depth: 0, ignoreInitial: true, persistent: false })
  watcher.on("all", hint).on("raw", hint).on("ready", hint)
  // Polling continues without events, for example when the system has no watches left.
  watcher.on("error", () => {})
  return watcher
}

/** Returns the sessions whose revision differs from `seen`, and updates `seen`. */
function changed(store: Store, seen: Map<string, Seen>): [id: string, revision: Revision][] {
  const found: [string, Revision][] = []
  for (const name of store.fs.readDirectory(JOURNALS) ?? []) {
    const id = fromName(name)
    if (id === undefined) continue
    const before = seen.get(id)
    const journal = store.fs.status(`${JOURNALS}/${name}`)
    const log = store.fs.status(changesPath(id))
    if (before && isSame(before.journal, journal) && isSame(before.log, log)) continue
    const revision = visibleRevision(store, id)
    seen.set(id, { journal, log, revision })
    if (revision !== (before?.revision ?? 0)) found.push([id, revision])
  }
  return found
}

function remember(store: Store, seen: Map<string, Seen>, id: string, revision: Revision): void {
  const before = seen.get(id)
  seen.set(id, { journal: before?.journal, log: before?.log, revision })
}
