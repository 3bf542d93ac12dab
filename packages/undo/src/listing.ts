import type { Stats } from "node:fs"
import { join } from "node:path"
import type { UncoveredFile } from "@pawl/core/host"
import { filesBelow } from "./files-below.ts"
import { hashOf, readFileState, statKey, statOf, statsOf } from "./file-state.ts"
import { git, type GitRun, records } from "./git.ts"
import { inParallel } from "./in-parallel.ts"
import {
  MAX_BEFORE_BYTES,
  MAX_COPIED_BYTES,
  MAX_COPIES,
  MAX_LISTED,
  MAX_LISTING_MS,
  MAX_MODES,
  PARALLEL,
} from "./limits.ts"
import { copyIndex, hasFilters, nestedRoots, refreshIndex, type Repository } from "./repository.ts"
import type { Spool } from "./spool.ts"

/** A file of a listing. */
export interface ListedFile {
  /** State as `statKey` returns it. */
  readonly key: string
  readonly mode: number
  readonly isLink: boolean
  /** Hash of its content, which is in the spool. Missing if the content was not copied. */
  readonly copy?: string
  /** Why it was not copied. */
  readonly reason?: UncoveredFile["reason"]
}

/** The state of a directory's files at one moment. */
export interface Listing {
  readonly root: string
  /** Times of its beginning and end, in epoch milliseconds. */
  readonly time: { readonly start: number; readonly end: number }
  /** By absolute path: all files, or in a repository those that differ from its index. */
  readonly files: ReadonlyMap<string, ListedFile>
  readonly repository?: Repository & { readonly indexCopy: string }
  /** Permission bits of tracked files that git does not keep, by absolute path. Missing in a large repository. */
  readonly modes?: ReadonlyMap<string, number>
  /** Repositories inside of this one. */
  readonly nested: readonly Listing[]
  /** Set if some files are missing. */
  readonly isPartial: boolean
}

export interface ListingDeps {
  readonly spool: Spool
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly now: () => number
  /** Aborts when no listing is needed any more. */
  readonly closing: AbortSignal
  /** Listed files by path, so that a file is copied again only if it changed. */
  readonly known: Map<string, ListedFile>
  /** Permission bits by the root of their repository. Read once. */
  readonly modes: Map<string, Promise<ReadonlyMap<string, number> | undefined>>
  /** Copies of indexes by the state of the original. */
  readonly indexes: Map<string, Promise<string>>
}

/** Nested repositories are listed to this depth, and at most so many. */
const MAX_DEPTH = 3
const MAX_NESTED = 20

/** Lists the files below a directory, and copies those that cannot be read from git later. */
export async function listFiles(
  deps: ListingDeps,
  root: string,
  repository: Repository | undefined,
  depth = 0,
): Promise<Listing> {
  const start = deps.now()
  const deadline = AbortSignal.any([deps.closing, AbortSignal.timeout(MAX_LISTING_MS)])
  const reading = repository && modesOf(deps, repository)
  const found = repository ? await gitFiles(deps, repository, deadline) : await allFiles(root, deadline)
  const modes = await reading
  const budget = { copies: MAX_COPIES, bytes: MAX_COPIED_BYTES }
  const files = new Map<string, ListedFile>()
  const statuses = await statsOf(found.paths)
  await inParallel([...found.paths.entries()], PARALLEL, async ([at, path]) => {
    const stats = statuses[at]
    if (!stats || stats.isDirectory()) return
    const listed = await listedFile(deps, path, stats, budget, deadline)
    files.set(path, listed)
    deps.known.set(path, listed)
  })
  const roots = depth < MAX_DEPTH ? found.nested.slice(0, MAX_NESTED) : []
  const nested: Listing[] = []
  for (const each of roots) nested.push(await listFiles(deps, each.root, each, depth + 1))
  return {
    ...{ root, time: { start, end: deps.now() }, files, nested },
    ...(repository && found.indexCopy !== undefined
      ? { repository: { ...repository, indexCopy: found.indexCopy } }
      : {}),
    ...(modes ? { modes } : {}),
    isPartial: found.isPartial || deadline.aborted || roots.length < found.nested.length,
  }
}

/** Returns the permission bits that differ from 644 and 755; undefined for a repository with too many files. */
function modesOf(
  { modes, environment }: ListingDeps,
  { root }: Repository,
): Promise<ReadonlyMap<string, number> | undefined> {
  const reading = modes.get(root) ?? read()
  modes.set(root, reading)
  return reading
  async function read() {
    const found = new Map<string, number>()
    const names = records((await git(["ls-files", "-z"], { cwd: root, environment })) ?? NOTHING)
    if (names.length > MAX_MODES) return undefined
    const paths = names.map((name) => join(root, name))
    for (const [at, stats] of (await statsOf(paths)).entries()) {
      const mode = (stats?.mode ?? 0) & 0o7777
      if (stats?.isFile() && mode !== 0o644 && mode !== 0o755) found.set(paths[at] ?? "", mode)
    }
    return found
  }
}

interface Found {
  readonly paths: readonly string[]
  readonly nested: readonly Repository[]
  readonly indexCopy?: string
  readonly isPartial: boolean
}

async function gitFiles(deps: ListingDeps, repository: Repository, signal: AbortSignal): Promise<Found> {
  const { root } = repository
  const { environment } = deps
  const index = await indexOf(deps, repository)
  const run = { cwd: root, environment, index, settings: repository.settings, signal }
  const [dirty, untracked, filtered] = await Promise.all([
    dirtyFiles(run),
    git(UNTRACKED, run),
    (await hasFilters(root)) ? git(["ls-files", "-z", "--", ":(attr:filter=lfs)"], run) : Buffer.alloc(0),
  ])
  const names = [...records(dirty ?? NOTHING), ...records(untracked ?? NOTHING), ...records(filtered ?? NOTHING)]
  const nested = await nestedRoots(repository, names.filter(isNested), run)
  const paths = [...new Set(names.filter((name) => !isNested(name)))].map((name) => join(root, name))
  return { paths, nested, indexCopy: index, isPartial: dirty === undefined || untracked === undefined }
}

/** A copied repository has new times, so that each of its files looks changed. */
const MAX_DIRTY = 200

async function dirtyFiles(run: GitRun): Promise<Buffer | undefined> {
  const dirty = await git(DIRTY, run)
  if (!dirty || records(dirty).length <= MAX_DIRTY) return dirty
  await refreshIndex(run)
  return git(DIRTY, run)
}

/** Returns a copy of the index. Each state of it is copied once. */
async function indexOf({ indexes, spool }: ListingDeps, repository: Repository): Promise<string> {
  const stats = await statOf(repository.index)
  const key = `${repository.index} ${stats ? statKey(stats) : ""}`
  const copy = indexes.get(key) ?? spool.newPath("index").then((path) => copyIndex(repository, path))
  indexes.set(key, copy)
  return copy
}

export const DIRTY = ["diff-files", "-z", "--name-only", "--ignore-submodules=all"]
export const UNTRACKED = ["ls-files", "-z", "--others", "--exclude-standard"]
const NOTHING = Buffer.alloc(0)

/** A nested repository is listed as a directory. */
export function isNested(name: string): boolean {
  return name.endsWith("/")
}

/** Lists all files of a directory without git. */
export async function allFiles(root: string, signal: AbortSignal): Promise<Found> {
  return { ...(await filesBelow(root, { maxFiles: MAX_LISTED, signal, without: PASSED_BY })), nested: [] }
}

/** Directories that programs make again. With git, its ignore rules say which these are. */
const PASSED_BY = new Set(["node_modules", ".git", "__pycache__", ".venv"])

async function listedFile(
  { known, spool }: ListingDeps,
  path: string,
  stats: Stats,
  budget: { copies: number; bytes: number },
  signal: AbortSignal,
): Promise<ListedFile> {
  const key = statKey(stats)
  const before = known.get(path)
  if (before?.key === key) return before
  const about = { key, mode: stats.mode & 0o7777, isLink: stats.isSymbolicLink() }
  if (stats.size > MAX_BEFORE_BYTES) return { ...about, reason: "size" }
  if (--budget.copies < 0 || (budget.bytes -= stats.size) < 0 || signal.aborted) return { ...about, reason: "limit" }
  const read = await readFileState(path, MAX_BEFORE_BYTES)
  if (read.type !== "file") return { ...about, reason: "unreadable" }
  const copy = hashOf(read.file.bytes)
  await spool.keep(copy, read.file.bytes)
  return { ...about, key: read.file.isLink ? key : statKey(read.stats), copy }
}
