import type { Revision, SessionID, WatchedChange } from "@pawl/core/storage"

export interface Watchers {
  readonly size: number
  watch(filter: { readonly sessionID?: SessionID }, signal: AbortSignal): AsyncIterable<WatchedChange>
  notify(change: WatchedChange): void
  /** Finishes all iterations, or makes them throw if there is an error. */
  end(error?: Error): void
}

interface Watcher {
  readonly sessionID: SessionID | undefined
  /** A session that changes again before it was read keeps its place. */
  readonly pending: Map<SessionID, Revision>
  ended: boolean
  failure: Error | undefined
  wake: () => void
  /** Removes the listener from the signal. */
  detach: () => void
}

/** Creates the readers that follow commits, each at its own pace. Calls `onSize` when their number changes. */
export function createWatchers(onSize: (size: number) => void = () => {}): Watchers {
  const watchers = new Set<Watcher>()

  function end(watcher: Watcher, failure?: Error): void {
    watcher.ended = true
    watcher.failure ??= failure
    if (watchers.delete(watcher)) onSize(watchers.size)
    watcher.detach()
    watcher.wake()
  }

  return {
    get size() {
      return watchers.size
    },
    watch({ sessionID }, signal) {
      const pending = new Map<SessionID, Revision>()
      const detach = () => signal.removeEventListener("abort", stop)
      const watcher: Watcher = { sessionID, pending, ended: false, failure: undefined, wake: () => {}, detach }
      const stop = () => end(watcher)
      onSize(watchers.add(watcher).size)
      signal.addEventListener("abort", stop)
      if (signal.aborted) stop()
      return follow(watcher, stop)
    },
    notify(change) {
      for (const watcher of watchers) {
        if (watcher.sessionID !== undefined && watcher.sessionID !== change.sessionID) continue
        watcher.pending.set(change.sessionID, change.revision)
        watcher.wake()
      }
    },
    end(error) {
      for (const watcher of watchers) end(watcher, error)
    },
  }
}

async function* follow(watcher: Watcher, stop: () => void): AsyncGenerator<WatchedChange> {
  try {
    while (!watcher.ended) {
      const [next] = watcher.pending
      if (next) {
        watcher.pending.delete(next[0])
        yield { sessionID: next[0], revision: next[1] }
      } else {
        await new Promise<void>((resolve) => (watcher.wake = resolve))
      }
    }
    if (watcher.failure) throw watcher.failure
  } finally {
    stop()
  }
}
