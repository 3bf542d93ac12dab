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
  /** Reports an own commit or removal. */
  tell(change: WatchedChange): void
  close(): Promise<void>
}

/** The last known state of a session's journal. */
interface Seen {
  readonly journal: FileStatus | undefined
  readonly log: FileStatus | undefined
  readonly revision: Revision
}

/** Milliseconds between two looks, however many events there are. */
const POLL_MS = 10

/**
 * Follows the directory of journals, which each commit of any process touches and which holds little. Events are hints:
 * changes are found by revision, and polling finds changes without an event. Never writes.
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

  /** Reports each session whose revision has changed. */
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

/** Calls `look` soon after something happens in the directory, and now and then. Does not keep the process alive. */
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

/** `raw` as well: two commits within one tick of the file's clock are one `change`. */
async function startWatcher(directory: string, hint: () => void): Promise<FSWatcher> {
  const { watch } = await import("chokidar")
  const watcher = watch(directory, { depth: 0, ignoreInitial: true, persistent: false })
  watcher.on("all", hint).on("raw", hint).on("ready", hint)
  // Without events, as where the system's watches are used up, there are still the looks now and then.
  watcher.on("error", () => {})
  return watcher
}

/** Sessions whose revision differs from what was seen, by id; brings `seen` up to date. */
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
