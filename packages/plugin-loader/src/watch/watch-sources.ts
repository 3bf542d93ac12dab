import type { FSWatcher } from "chokidar"
import { isRelevant, kindsOf, type WatchedSource, watchRoots } from "./relevance.ts"

export type { WatchedSource } from "./relevance.ts"

export interface SourceChange {
  /** Absolute. */
  readonly path: string
  /** Of the sources that it belongs to, sorted. */
  readonly kinds: readonly string[]
  /** What happened last: a file that was replaced is `changed`. */
  readonly event: "added" | "changed" | "removed"
}

export interface SourceWatch {
  /** Watches these in place of the ones before; what they already hold is no change. */
  update(sources: readonly WatchedSource[]): Promise<void>
  /** No callback comes after it was called; resolves when nothing is watched any more. */
  close(): Promise<void>
}

export interface WatchOptions {
  /** Called with all that changed, by path, once nothing has for `quiet` milliseconds, or for the tenfold of it in a row. */
  readonly onChange: (changes: readonly SourceChange[]) => void
  /** That something cannot be watched. */
  readonly onError: (error: Error) => void
  readonly quiet?: number
}

const QUIET = 100
const EVENTS = { add: "added", change: "changed", unlink: "removed" } as const

/** Watches files and directories, those that do not exist yet as well. Resolves when it sees every change from then on. */
export async function watchSources(sources: readonly WatchedSource[], options: WatchOptions): Promise<SourceWatch> {
  const { onChange, onError, quiet = QUIET } = options
  const { watch } = await import("chokidar")
  const pending = new Map<string, SourceChange>()
  let current = sources
  let watcher: FSWatcher | undefined
  let timer: NodeJS.Timeout | undefined
  let since = 0
  let isClosed = false

  function flush(): void {
    timer = undefined
    const changes = [...pending.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1))
    pending.clear()
    if (changes.length > 0) onChange(changes)
  }

  function report(event: SourceChange["event"], path: string): void {
    const kinds = kindsOf(current, path)
    if (isClosed || kinds.length === 0) return
    const before = pending.get(path)?.event
    const last =
      before === "removed" && event === "added"
        ? "changed"
        : before === "added" && event === "changed"
          ? "added"
          : event
    pending.set(path, { path, kinds, event: last })
    if (timer === undefined) since = Date.now()
    clearTimeout(timer)
    timer = setTimeout(flush, Math.max(0, Math.min(quiet, since + 10 * quiet - Date.now())))
  }

  async function open(): Promise<FSWatcher> {
    const opened = watch(watchRoots(current), {
      ignoreInitial: true,
      // It would hold removals back; what is removed and comes again is put together here.
      atomic: false,
      ignored: (path) => !isRelevant(current, path) && !watchRoots(current).includes(path),
    })
    opened.on("error", (error) => onError(error instanceof Error ? error : new Error(String(error))))
    opened.on("all", (event, path) => {
      if (event === "add" || event === "change" || event === "unlink") report(EVENTS[event], path)
    })
    await new Promise<void>((ready) => void opened.on("ready", ready))
    return opened
  }

  watcher = await open()
  return {
    async update(next) {
      if (isClosed || sameSources(current, next)) return
      const old = watcher
      current = next
      // The new one sees before the old one stops: nothing is missed, and what both see is one change.
      watcher = await open()
      await old?.close()
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      pending.clear()
      await watcher?.close()
    },
  }
}

function sameSources(a: readonly WatchedSource[], b: readonly WatchedSource[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ path, kind, accepts }, index) => {
      const other = b[index]
      return other !== undefined && other.path === path && other.kind === kind && other.accepts === accepts
    })
  )
}
