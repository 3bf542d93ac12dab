import type { Stats } from "node:fs"
import { basename, dirname, join, relative, sep } from "node:path"
import {
  type FileContent,
  hashOf,
  isSameImage,
  plainImage,
  readFileState,
  statKey,
  statOf,
  statsOf,
} from "./file-state.ts"
import { git, type GitRun, records } from "./git.ts"
import { inParallel } from "./in-parallel.ts"
import { CLOCK_TICK_MS, MAX_AFTER_BYTES, MAX_BEFORE_BYTES, MAX_CHANGES, MAX_LISTING_MS, PARALLEL } from "./limits.ts"
import { allFiles, DIRTY, isNested, type ListedFile, type Listing, UNTRACKED } from "./listing.ts"
import { fullMode, indexEntries, isConverting, readObjects, worktreeBytes } from "./repository.ts"
import type { Spool } from "./spool.ts"
import type { UncoveredFile } from "@pawl/core/host"

/** A file that differs from a listing. `unknown`: there was one, but its content was not kept. */
export interface FoundFile {
  readonly path: string
  readonly before: FileContent | "missing" | "unknown"
  readonly after: FileContent | "missing" | "large"
  /** Set if the content before is unknown. */
  readonly reason?: UncoveredFile["reason"]
}

/** The time in which a call ran, in epoch milliseconds. */
export interface CallTime {
  readonly start: number
  readonly end: number
}

export interface FoundFiles {
  readonly files: readonly FoundFile[]
  /** Files that were changed after the call, so that it is not known whether the call changed them too. */
  readonly late: readonly string[]
  readonly isPartial: boolean
}

export interface FindDeps {
  readonly spool: Spool
  readonly environment: GitRun["environment"]
}

/** Finds the files that were changed while a call ran. */
export async function findChanges(deps: FindDeps, listing: Listing, time: CallTime): Promise<FoundFiles> {
  const own = await findIn(deps, listing, time)
  const found: FoundFiles[] = [own]
  for (const nested of listing.nested) found.push(await findChanges(deps, nested, time))
  return {
    files: found.flatMap(({ files }) => files),
    late: found.flatMap(({ late }) => late),
    isPartial: found.some(({ isPartial }) => isPartial),
  }
}

async function findIn(deps: FindDeps, listing: Listing, time: CallTime): Promise<FoundFiles> {
  const candidates = await changedPaths(deps, listing)
  const attributed: Candidate[] = []
  const late: string[] = []
  const older: Candidate[] = []
  const paths = [...candidates.paths].filter((path) => !isUnfinished(path))
  const statuses = await statsOf(paths)
  for (const [at, path] of paths.entries()) {
    const status = statuses[at]
    const stats = status?.isDirectory() ? undefined : status
    const known = listing.files.get(path)
    if (known && stats && statKey(stats) === known.key) continue
    const isNew = !known && !candidates.tracked.has(path)
    if (isNew && !stats) continue
    const when = await timeOf(path, status)
    if (when < time.start - CLOCK_TICK_MS) {
      if (isNew) older.push({ path, known, stats })
    } else if (stats && when > time.end + CLOCK_TICK_MS) late.push(path)
    else attributed.push({ path, known, stats })
  }
  const some = attributed.slice(0, MAX_CHANGES)
  const found = await withContents(deps, listing, some, candidates.tracked)
  const files = [...found, ...(await movedFiles(deps, listing, older, found))]
  const isPartial = listing.isPartial || candidates.isPartial || some.length < attributed.length
  return { files, late, isPartial }
}

/**
 * Returns the new files that a directory brought along when it was moved: their own times stay. Each has the content of a
 * file that is gone. Others are not new, but were ignored before.
 */
async function movedFiles(
  deps: FindDeps,
  listing: Listing,
  older: readonly Candidate[],
  found: readonly FoundFile[],
): Promise<FoundFile[]> {
  const gone = new Set(
    found.flatMap(({ before, after }) =>
      after === "missing" && typeof before !== "string" ? [hashOf(before.bytes)] : [],
    ),
  )
  if (gone.size === 0) return []
  const files = await withContents(deps, listing, older, new Set())
  return files.filter(({ after }) => typeof after !== "string" && gone.has(hashOf(after.bytes)))
}

/** Returns whether the file is one that pawl itself is writing, before it gets its name. */
function isUnfinished(path: string): boolean {
  return basename(path).startsWith(".pawl-") && /^\.pawl-(?:undo-|.*\.tmp$)/.test(basename(path))
}

interface Candidate {
  readonly path: string
  readonly known: ListedFile | undefined
  readonly stats: Stats | undefined
}

interface Candidates {
  readonly paths: ReadonlySet<string>
  /** Files that differ from the index of the listing. */
  readonly tracked: ReadonlySet<string>
  readonly isPartial: boolean
}

/** Returns every file that may differ from the listing. */
async function changedPaths({ environment }: FindDeps, listing: Listing): Promise<Candidates> {
  const { root, files, repository } = listing
  const signal = AbortSignal.timeout(MAX_LISTING_MS)
  if (!repository) {
    const { paths, isPartial } = await allFiles(root, signal)
    return { paths: new Set([...files.keys(), ...paths]), tracked: new Set(), isPartial }
  }
  const { settings } = repository
  const run = { cwd: root, environment, index: repository.indexCopy, settings, signal }
  const [dirty, untracked] = await Promise.all([git(DIRTY, run), git(UNTRACKED, run)])
  const isPartial = dirty === undefined || untracked === undefined
  const tracked = new Set(records(dirty ?? Buffer.alloc(0)).map((name) => join(root, name)))
  const names = records(untracked ?? Buffer.alloc(0))
  const nested = new Set(listing.nested.map((each) => each.root))
  // A repository that was made since is new with all of its files.
  const fresh = names.filter((name) => isNested(name) && !nested.has(join(root, name.slice(0, -1))))
  const inside: string[] = []
  for (const name of fresh) inside.push(...(await allFiles(join(root, name), signal)).paths)
  const loose = names.filter((name) => !isNested(name)).map((name) => join(root, name))
  return { paths: new Set([...files.keys(), ...tracked, ...loose, ...inside]), tracked, isPartial }
}

/** Returns when a file was last changed, in epoch milliseconds; for a missing one, when its directory was. */
async function timeOf(path: string, stats: Stats | undefined): Promise<number> {
  if (stats) return stats.ctimeMs
  for (let at = dirname(path); at !== dirname(at); at = dirname(at)) {
    const directory = await statOf(at)
    if (directory) return directory.ctimeMs
  }
  return Infinity
}

async function withContents(
  deps: FindDeps,
  listing: Listing,
  candidates: readonly Candidate[],
  tracked: ReadonlySet<string>,
): Promise<FoundFile[]> {
  const clean = candidates.filter(({ path, known }) => !known && tracked.has(path)).map(({ path }) => path)
  const present = new Map(candidates.map(({ path, stats }) => [path, stats?.mode]))
  const stored = await storedContents(deps, listing, clean, (path) => present.get(path))
  const found = await inParallel(candidates, PARALLEL, async ({ path, known }): Promise<FoundFile[]> => {
    const before = known ? await copyOf(deps, known) : tracked.has(path) ? (stored.get(path) ?? "unknown") : "missing"
    const read = await readFileState(path, MAX_AFTER_BYTES)
    const isDirectory = read.type === "other" && read.stats.isDirectory()
    if (read.type === "unreadable" || (read.type === "other" && !isDirectory)) return []
    const after = read.type === "file" ? read.file : read.type === "large" ? "large" : "missing"
    if (isSame(before, after)) return []
    const reason = before === "unknown" ? { reason: known?.reason ?? ("unreadable" as const) } : {}
    return [{ path, before, after, ...reason }]
  })
  return found.flat()
}

function isSame(before: FoundFile["before"], after: FoundFile["after"]): boolean {
  if (typeof before === "string" || typeof after === "string") return before === after
  return isSameImage(plainImage(before), plainImage(after))
}

async function copyOf({ spool }: FindDeps, { copy, mode, isLink }: ListedFile): Promise<FileContent | "unknown"> {
  const bytes = copy === undefined ? undefined : await spool.read(copy)
  return bytes ? { bytes, mode, isLink } : "unknown"
}

/** Returns the contents of files that were as the index had them. Those that git does not store as they were are missing. */
async function storedContents(
  { environment }: FindDeps,
  { root, repository, modes }: Listing,
  paths: readonly string[],
  presentMode: (path: string) => number | undefined,
): Promise<Map<string, FileContent>> {
  const found = new Map<string, FileContent>()
  if (!repository || paths.length === 0) return found
  const run = { cwd: root, environment, index: repository.indexCopy }
  const names = paths.map((path) => relative(root, path).replaceAll(sep, "/"))
  const entries = await indexEntries(run, names)
  const known = names.filter((name) => entries.has(name))
  const oids = known.map((name) => entries.get(name)?.oid ?? "")
  const objects = await readObjects(run, oids, MAX_BEFORE_BYTES)
  const converts = await isConverting(run, root)
  for (const [at, name] of known.entries()) {
    const entry = entries.get(name)
    const object = objects[at]
    if (!entry || !object) continue
    const isLink = entry.mode === "120000"
    const bytes = isLink ? object : worktreeBytes(object, entry.size, converts)
    const path = join(root, name)
    const isExecutable = entry.mode === "100755"
    const mode = modes ? (modes.get(path) ?? fullMode(isExecutable)) : fullMode(isExecutable, presentMode(path))
    if (bytes) found.set(path, { bytes, isLink, mode })
  }
  return found
}
