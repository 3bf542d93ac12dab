import { dirname } from "node:path"
import type {
  CallWatch,
  FileChange,
  FileImage,
  FoundChanges,
  RecordedChange,
  UncoveredFile,
  WatchedCall,
} from "@pawl/core/host"
import { type FileContent, isSameImage, plainImage, readFileState, statOf, storedImage } from "./file-state.ts"
import { findChanges, type FindDeps, type FoundFile } from "./find-changes.ts"
import { inParallel } from "./in-parallel.ts"
import { filesBelow } from "./files-below.ts"
import {
  CLOCK_TICK_MS,
  MAX_AFTER_BYTES,
  MAX_BEFORE_BYTES,
  MAX_NAMED_BYTES,
  MAX_NAMED_FILES,
  PARALLEL,
} from "./limits.ts"
import type { Listing } from "./listing.ts"
import type { OpenCalls } from "./open-calls.ts"
import type { Others, Windows } from "./windows.ts"
import type { Worktrees } from "./worktrees.ts"

export interface WatcherDeps extends FindDeps {
  readonly now: () => number
  readonly calls: OpenCalls
  readonly worktrees: Worktrees
  readonly windows: Windows
}

export interface Watcher {
  watch(call: WatchedCall): Promise<CallWatch>
  recorded(change: RecordedChange): void
  recover(call: WatchedCall): Promise<FoundChanges>
  settled(): Promise<void>
}

/** A state of a file that is known to be the work of a session of this process. */
interface Claim {
  readonly image: FileImage | null
  readonly time: number
}

export function createWatcher(deps: WatcherDeps): Watcher {
  const { now, calls, worktrees, windows } = deps
  /** By path: the last state that a call or a tool of this process has left. */
  const claims = new Map<string, Claim>()
  const open = new Set<Promise<unknown>>()
  let last: Promise<unknown> = Promise.resolve()

  function tracked<T>(work: Promise<T>): Promise<T> {
    open.add(work)
    void work.then(
      () => open.delete(work),
      () => open.delete(work),
    )
    return work
  }

  async function watch(call: WatchedCall): Promise<CallWatch> {
    const { sessionID, worktree, key, blobs, signal } = call
    const listing = await worktrees.before(worktree)
    signal.throwIfAborted()
    const named = await inParallel([...new Set(call.targets)], PARALLEL, (path) => namedFiles(path))
    const paths = [...new Set(named.flatMap((each) => each.paths))]
    const read = await inParallel(paths, PARALLEL, (path) => beforeOf(path, blobs))
    const partial = named.flatMap((each) => (each.partial === undefined ? [] : [each.partial]))
    const targets: Target[] = [...read, ...partial.map((path) => ({ path, reason: "limit" as const }))]
    const start = now()
    // On a full or read-only disk, changes are found without regard to other sessions and crashes.
    const [close, forget] = await Promise.all([
      windows.open(sessionID, listing?.root ?? worktree, start).catch(() => async () => NO_OTHERS),
      calls
        .keep(key, { start, listing, targets: targets.flatMap((target) => ("before" in target ? [target] : [])) })
        .catch(() => async () => undefined),
    ])
    if (signal.aborted) await Promise.all([close(now()), forget()])
    signal.throwIfAborted()
    return {
      begun: {
        changes: targets.flatMap((target) => ("before" in target ? [target] : [])),
        uncovered: targets.flatMap((target) => ("reason" in target ? [target] : [])),
      },
      end() {
        const time = { start, end: now() }
        // One after another, so that calls which ran at the same time do not claim the same change.
        const found = last.then(async () => {
          const others = await close(time.end)
          const changes = await foundChanges(call, { listing, targets, time, others })
          await forget()
          return changes
        })
        last = found.catch(() => undefined)
        return tracked(found.catch(() => failed(worktree)))
      },
    }
  }

  async function foundChanges(
    { worktree, blobs }: WatchedCall,
    { listing, targets, time, others }: Watching,
  ): Promise<FoundChanges> {
    const named = new Map(targets.map((target) => [target.path, target]))
    const found = listing ? await findChanges(deps, listing, time) : { files: [], late: [], isPartial: false }
    if (found.files.length > 0) worktrees.changed(worktree, time.end)
    const changes: FileChange[] = []
    const uncovered: UncoveredFile[] = found.isPartial ? [{ path: worktree, reason: "limit" }] : []
    const certain = await inParallel(targets, PARALLEL, (target) => afterOf(target, time, blobs))
    for (const change of certain) {
      if ("reason" in change) uncovered.push(change)
      else if (!isOthers(change, others) && !isSameImage(change.before, change.after ?? null)) changes.push(change)
    }
    for (const path of found.late) {
      const isOwn = (claims.get(path)?.time ?? 0) >= time.end
      if (!named.has(path) && !isOwn) uncovered.push({ path, reason: "shared" })
    }
    const unnamed = found.files.filter(({ path }) => !named.has(path))
    for (const each of await inParallel(unnamed, PARALLEL, (file) => changeOf(file, time, blobs, others))) {
      if (!each) continue
      if ("reason" in each) uncovered.push(each)
      else changes.push(each)
    }
    for (const { path, after } of changes) if (after !== undefined) claims.set(path, { image: after, time: time.end })
    return { changes, uncovered }
  }

  /** Returns the change of a found file; undefined if it is not the work of this call. */
  async function changeOf(
    file: FoundFile,
    time: { readonly start: number },
    blobs: WatchedCall["blobs"],
    others: Others,
  ): Promise<FileChange | UncoveredFile | undefined> {
    const { path } = file
    const present = file.after === "missing" ? null : file.after === "large" ? undefined : plainImage(file.after)
    if (present !== undefined && others.recorded.get(path) === (present?.hash ?? null)) return undefined
    const claim = claims.get(path)
    const isClaimed = claim !== undefined && claim.time >= time.start
    if (isClaimed && present !== undefined && isSameImage(claim.image, present)) return undefined
    if (others.isShared) return { path, reason: "shared" }
    if (present === undefined) return { path, reason: "size" }
    if (file.reason && !isClaimed) return { path, reason: file.reason }
    const before = isClaimed ? claim.image : await imageOf(file.before, blobs)
    const after = await imageOf(file.after, blobs)
    return { path, before, after, ...(before === null ? await madeDirectory(path, time.start) : {}) }
  }

  return {
    watch: (call) => tracked(watch(call)),
    recorded(change) {
      const time = now()
      claims.set(change.path, { image: change.after, time })
      void tracked(windows.record(change, time).catch(() => undefined))
    },
    async recover(call) {
      const left = await calls.take(call.key).catch(() => undefined)
      if (!left) return { changes: [], uncovered: [] }
      const named = new Set([...call.targets, ...left.targets.map(({ path }) => path)])
      const time = { start: left.start, end: Infinity }
      const spool = { ...deps.spool, ...left.spool }
      const found = left.listing ? await findChanges({ ...deps, spool }, left.listing, time) : { files: [] }
      const unnamed = found.files.filter(({ path }) => !named.has(path))
      const targets = await inParallel(left.targets, PARALLEL, async (target) => {
        const now = await afterOf(target, time, call.blobs)
        return "before" in now && isSameImage(now.before, now.after ?? null) ? [] : [target]
      })
      const changes = await inParallel(unnamed, PARALLEL, async (file): Promise<FileChange | UncoveredFile> => {
        if (file.reason) return { path: file.path, reason: file.reason }
        return { path: file.path, before: await imageOf(file.before, call.blobs) }
      })
      return {
        changes: [...targets.flat(), ...changes.flatMap((change) => ("before" in change ? [change] : []))],
        uncovered: changes.flatMap((change) => ("reason" in change ? [change] : [])),
      }
    },
    async settled() {
      await Promise.all([...open])
    },
  }
}

const NO_OTHERS: Others = { isShared: false, recorded: new Map() }

interface Watching {
  readonly listing: Listing | undefined
  readonly targets: readonly Target[]
  readonly time: { readonly start: number; readonly end: number }
  readonly others: Others
}

type Target = FileChange | UncoveredFile

/** Returns the path, or the files below it if it is a directory. `partial`: the directory, if it has too many. */
async function namedFiles(path: string): Promise<{ readonly paths: readonly string[]; readonly partial?: string }> {
  const stats = await statOf(path)
  if (!stats?.isDirectory()) return { paths: [path] }
  const { paths, isPartial } = await filesBelow(path, { maxFiles: MAX_NAMED_FILES, maxBytes: MAX_NAMED_BYTES })
  return isPartial ? { paths, partial: path } : { paths }
}

async function beforeOf(path: string, blobs: WatchedCall["blobs"]): Promise<Target> {
  const read = await readFileState(path, MAX_BEFORE_BYTES)
  if (read.type === "large") return { path, reason: "size" }
  if (read.type === "unreadable" || read.type === "other") return { path, reason: "unreadable" }
  return { path, before: read.type === "missing" ? null : await storedImage(read.file, blobs) }
}

/** Returns a named file after the call. A file that was not covered is only reported if it changed. */
async function afterOf(
  target: Target,
  { start }: { readonly start: number },
  blobs: WatchedCall["blobs"],
): Promise<Target> {
  const { path } = target
  if ("reason" in target) {
    const stats = await statOf(path)
    const isChanged = stats && stats.ctimeMs >= start - CLOCK_TICK_MS
    return isChanged || (!stats && target.reason !== "unreadable") ? target : { path, before: null, after: null }
  }
  const read = await readFileState(path, MAX_AFTER_BYTES)
  if (read.type === "large") return { path, reason: "size" }
  if (read.type === "unreadable") return { path, reason: "unreadable" }
  const after = read.type === "file" ? await storedImage(read.file, blobs) : null
  return { ...target, after, ...(target.before === null && after ? await madeDirectory(path, start) : {}) }
}

function isOthers({ path, after }: FileChange, { recorded }: Others): boolean {
  return recorded.get(path) === (after?.hash ?? null)
}

async function imageOf(content: FileContent | string, blobs: WatchedCall["blobs"]): Promise<FileImage | null> {
  return typeof content === "string" ? null : storedImage(content, blobs)
}

/** Returns the topmost directory above a file that was made since. */
async function madeDirectory(path: string, since: number): Promise<Pick<FileChange, "madeDirectory">> {
  let made: string | undefined
  for (let at = dirname(path); at !== dirname(at); at = dirname(at)) {
    const stats = await statOf(at)
    if (!stats || stats.birthtimeMs < since - CLOCK_TICK_MS) break
    made = at
  }
  return made === undefined ? {} : { madeDirectory: made }
}

function failed(worktree: string): FoundChanges {
  return { changes: [], uncovered: [{ path: worktree, reason: "unreadable" }] }
}
