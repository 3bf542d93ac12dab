import type { Revision, SessionID, WatchedChange } from "@pawl/core/storage"

export interface WatchFilter {
  readonly sessionID?: SessionID
}

/** Readers that follow commits, each at its own pace. */
export interface Watchers {
  readonly size: number
  /** Returns true if a watcher follows the session. */
  wants(sessionID: SessionID): boolean
  add(watcher: Watcher): void
  notify(change: WatchedChange): void
  /** Ends all watchers: their iterations finish, or throw if there is an error. */
  end(error?: Error): void
}

/** Yields commits from the moment it is added. */
export interface Watcher extends AsyncIterable<WatchedChange> {
  readonly ended: boolean
  wants(sessionID: SessionID): boolean
  notify(change: WatchedChange): void
  end(error?: Error): void
  /** Called once, when it ends. */
  onEnd: () => void
}

/** `onEmpty` is called when the last watcher has ended. */
export function createWatchers(onEmpty: () => void): Watchers {
  const watchers = new Set<Watcher>()

  return {
    get size() {
      return watchers.size
    },
    wants: (sessionID) => [...watchers].some((watcher) => watcher.wants(sessionID)),
    add(watcher) {
      if (watcher.ended) return
      watchers.add(watcher)
      watcher.onEnd = () => {
        watchers.delete(watcher)
        if (watchers.size === 0) onEmpty()
      }
    },
    notify(change) {
      for (const watcher of watchers) watcher.notify(change)
    },
    end(error) {
      for (const watcher of watchers) watcher.end(error)
    },
  }
}

/** `known`: last revisions by session. These are not reported. */
export function createWatcher(
  filter: WatchFilter,
  signal: AbortSignal,
  known: ReadonlyMap<SessionID, Revision> = new Map(),
): Watcher {
  /** A session that changes again before it was read keeps its position. */
  const pending = new Map<SessionID, Revision>()
  let wake = () => {}
  const state: { ended: boolean; failure?: Error | undefined } = { ended: false }

  const watcher: Watcher = {
    get ended() {
      return state.ended
    },
    onEnd: () => {},
    wants: (sessionID) => filter.sessionID === undefined || filter.sessionID === sessionID,
    notify({ sessionID, revision }) {
      if (!watcher.wants(sessionID) || known.get(sessionID) === revision) return
      pending.set(sessionID, revision)
      wake()
    },
    end(error) {
      if (state.ended) return
      state.ended = true
      state.failure = error
      signal.removeEventListener("abort", stop)
      watcher.onEnd()
      wake()
    },
    async *[Symbol.asyncIterator]() {
      try {
        while (!state.ended) {
          const [next] = pending
          if (next) {
            pending.delete(next[0])
            yield { sessionID: next[0], revision: next[1] }
          } else {
            await new Promise<void>((resolve) => (wake = resolve))
          }
        }
        if (state.failure) throw state.failure
      } finally {
        watcher.end()
      }
    },
  }
  const stop = () => watcher.end()
  signal.addEventListener("abort", stop)
  if (signal.aborted) stop()
  return watcher
}
