import type { Revision, SessionID, WatchedChange } from "@pawl/core"

export interface Watchers {
  watch(filter: { readonly sessionID?: SessionID }, signal: AbortSignal): AsyncIterable<WatchedChange>
  notify(change: WatchedChange): void
  /** Ends every iteration. */
  end(): void
}

interface Watcher {
  readonly sessionID: SessionID | undefined
  /** A session that changes again before the reader has come to it stays in its place. */
  readonly pending: Map<SessionID, Revision>
  ended: boolean
  wake: () => void
  /** Lets go of the signal. */
  detach: () => void
}

/** Those who follow commits, each at its own pace. */
export function createWatchers(): Watchers {
  const watchers = new Set<Watcher>()

  function end(watcher: Watcher): void {
    watcher.ended = true
    watchers.delete(watcher)
    watcher.detach()
    watcher.wake()
  }

  return {
    watch({ sessionID }, signal) {
      const detach = () => signal.removeEventListener("abort", stop)
      const watcher: Watcher = { sessionID, pending: new Map(), ended: false, wake: () => {}, detach }
      const stop = () => end(watcher)
      watchers.add(watcher)
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
    end() {
      for (const watcher of watchers) end(watcher)
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
  } finally {
    stop()
  }
}
