import { lstatSync } from "node:fs"
import { join, relative, sep } from "node:path"
import type { FSWatcher } from "chokidar"
import { git } from "./git.ts"

/** Maximum number of files and directories. Larger projects are not watched. */
const MAX_WATCHED = 10_000
/** Milliseconds in which several changes of a file are reported once. */
const QUIET_MS = 50

export type FileEvent = "add" | "change" | "unlink"

export interface ProjectWatchOptions {
  /** Must be absolute. */
  readonly directory: string
  /** Called with each change of a file that git does not ignore. */
  readonly report: (file: string, event: FileEvent) => void
  /** Called once with the reason if the project cannot be watched. */
  readonly onProblem: (message: string) => void
  readonly maxWatched?: number
}

export interface ProjectWatch {
  /** Watches until the returned function or `close` is called. Several followers share one watcher. */
  follow(): () => void
  /** Call it when a tool's change of the file has been reported, so that the watcher does not report it again. */
  markReported(file: string): void
  close(): void
}

/** Watches a project's files while it has followers. Ignores `.git`, `node_modules` and what git ignores. */
export function createProjectWatch(options: ProjectWatchOptions): ProjectWatch {
  const followers = new Set<symbol>()
  const versions = new Map<string, string>()
  let watching: { readonly end: () => void } | undefined

  const end = () => {
    watching?.end()
    watching = undefined
    versions.clear()
  }
  return {
    follow() {
      const follower = Symbol("follower")
      followers.add(follower)
      watching ??= begin(options, versions)
      return () => {
        if (followers.delete(follower) && followers.size === 0) end()
      }
    },
    markReported(file) {
      if (watching) versions.set(file, versionOf(file))
    },
    close() {
      followers.clear()
      end()
    },
  }
}

function begin(
  { directory, report, onProblem, maxWatched = MAX_WATCHED }: ProjectWatchOptions,
  versions: ReadonlyMap<string, string>,
): { readonly end: () => void } {
  const pending = new Map<string, FileEvent>()
  let watcher: FSWatcher | undefined
  let timer: NodeJS.Timeout | undefined
  let isReady = false
  let hasEnded = false
  let count = 0

  function end(): void {
    hasEnded = true
    clearTimeout(timer)
    void watcher?.close()
  }
  function giveUp(message: string): void {
    if (hasEnded) return
    end()
    onProblem(`Changes of files are not followed: ${message}`)
  }
  async function flush(): Promise<void> {
    timer = undefined
    const changes = [...pending].filter(([file]) => versions.get(file) !== versionOf(file))
    pending.clear()
    const ignored = await ignoredAmong(
      changes.map(([file]) => file),
      directory,
    )
    if (!hasEnded) for (const [file, event] of changes) if (!ignored.has(file)) report(file, event)
  }
  function add(event: string, file: string): void {
    if (event === "add" || event === "addDir") count++
    if (event === "unlink" || event === "unlinkDir") count--
    if (count > maxWatched) return giveUp(`the project has more than ${maxWatched} files and directories.`)
    if (!isReady || (event !== "add" && event !== "change" && event !== "unlink")) return
    const before = pending.get(file)
    pending.set(
      file,
      before === "unlink" && event === "add" ? "change" : before === "add" && event === "change" ? "add" : event,
    )
    timer ??= setTimeout(() => void flush(), QUIET_MS).unref()
  }
  async function open(): Promise<void> {
    const [{ watch }, left] = await Promise.all([import("chokidar"), ignoredPaths(directory)])
    if (hasEnded) return
    const ignored = (path: string) => left.has(path) || isIgnoredName(relative(directory, path))
    watcher = watch(directory, { ignored, persistent: false, atomic: false, followSymlinks: false })
    watcher.on("all", add)
    watcher.on("ready", () => (isReady = true))
    watcher.on("error", (error) => giveUp(error instanceof Error ? error.message : String(error)))
  }
  open().catch((error: unknown) => giveUp(String(error)))
  return { end }
}

function isIgnoredName(path: string): boolean {
  return path.split(sep).some((name) => name === ".git" || name === "node_modules")
}

/** Returns paths that git ignores at present, including whole directories. Empty outside of git. */
async function ignoredPaths(directory: string): Promise<ReadonlySet<string>> {
  const listed = await git(directory, ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"])
  const names = (listed ?? "").split("\0").filter((name) => name !== "")
  return new Set(names.map((name) => join(directory, name.replace(/\/$/, ""))))
}

async function ignoredAmong(files: readonly string[], directory: string): Promise<ReadonlySet<string>> {
  if (files.length === 0) return new Set()
  const listed = await git(directory, ["check-ignore", "-z", "--stdin"], files.join("\0"))
  return new Set((listed ?? "").split("\0"))
}

/** Returns an empty string if the file is missing. */
function versionOf(file: string): string {
  const stats = lstatSync(file, { throwIfNoEntry: false })
  return stats ? `${stats.mtimeMs} ${stats.size} ${stats.ino}` : ""
}
