import type { FSWatcher } from "chokidar"
import { isRelevant, kindsOf, type WatchedSource, watchRoots } from "./relevance.ts"

export type { WatchedSource } from "./relevance.ts"

export interface SourceChange {
  /** Absolute. */
  readonly path: string
  /** Sorted kinds of the sources that it belongs to. */
  readonly kinds: readonly string[]
  /** The last event. A replaced file is `changed`. */
  readonly event: "added" | "changed" | "removed"
}

export interface SourceWatch {
  /** Watches these sources instead of the earlier ones. Their current content is not a change. */
  update(sources: readonly WatchedSource[]): Promise<void>
  /** Stops all callbacks at once. Resolves when nothing is watched any more. */
  close(): Promise<void>
}

export interface WatchOptions {
  /**
   * Called with all changes, sorted by path, after `quiet` milliseconds without a change, or after ten times as long
   * with changes.
   */
  readonly onChange: (changes: readonly SourceChange[]) => void
  /** Called if something cannot be watched. */
  readonly onError: (error: Error) => void
  readonly quiet?: number
}

const QUIET_MS = 100
const EVENTS = { add: "added", change: "changed", unlink: "removed" } as const

/** Watches files and directories, including those that do not exist yet. Resolves when later changes will be seen. */
export async function watchSources(sources: readonly WatchedSource[], options: WatchOptions): Promise<SourceWatch> {
  const { onChange, onError, quiet = QUIET_MS } = options
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
      // chokidar would delay removals. A removal followed by an addition is combined here.
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
      // The new watcher starts before the old one stops, so no change is missed. A change that both see is reported
      // once.
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
