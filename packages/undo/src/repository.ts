import { copyFile, readFile, realpath, stat, utimes } from "node:fs/promises"
import { join } from "node:path"
import { filterSettings } from "@pawl/workspace/run-git"
import { type GitRun, git, records } from "./git.ts"

/** A git worktree. */
export interface Repository {
  /** Absolute, with links resolved. */
  readonly root: string
  /** Path of git's index. It may not exist yet. */
  readonly index: string
  /** Settings that keep git from running the repository's filters. */
  readonly settings: readonly string[]
}

/** Returns the repository whose worktree begins at this directory; undefined if none does. */
export async function findRepository(
  root: string,
  environment: GitRun["environment"],
): Promise<Repository | undefined> {
  const run = { cwd: root, environment }
  const [output, settings] = await Promise.all([
    git(["rev-parse", "--path-format=absolute", "--show-toplevel", "--git-path", "index"], run),
    filterSettings(run),
  ])
  const [top, index] = output?.toString("utf8").trimEnd().split("\n") ?? []
  if (!top || !index || top !== (await realpath(root).catch(() => root))) return undefined
  return { root: top, index, settings }
}

/** Notes in a copy of an index which files are unchanged, if very many only look changed by their times. */
export async function refreshIndex(run: GitRun): Promise<void> {
  await git(["update-index", "-q", "--refresh"], run)
}

/**
 * Copies the index, with its time: git reads files again that were changed at the time of the index, and must do the
 * same with the copy. Returns the path of the copy, where no file is if there is no index.
 */
export async function copyIndex({ index }: Repository, to: string): Promise<string> {
  try {
    const { mtimeMs } = await stat(index)
    await copyFile(index, to)
    // Rounded down, so that no file is taken for unchanged by mistake.
    const seconds = Math.floor(mtimeMs) / 1000
    await utimes(to, seconds, seconds)
  } catch {
    // A repository without a commit has no index.
  }
  return to
}

/** Returns whether git may store other contents than those of the worktree, for files named by attributes. */
export async function hasFilters(root: string): Promise<boolean> {
  const text = await readFile(join(root, ".gitattributes"), "utf8").catch(() => "")
  return text.includes("filter=")
}

/** Returns whether git may convert line endings, or filter contents. */
export async function isConverting(run: GitRun, root: string): Promise<boolean> {
  const text = await readFile(join(root, ".gitattributes"), "utf8").catch(() => "")
  if (/filter=|eol=|\btext\b|ident|encoding=/.test(text)) return true
  const setting = (await git(["config", "core.autocrlf"], run))?.toString("utf8").trim()
  return setting === "true" || setting === "input"
}

/** Returns the repositories in untracked directories, and the submodules that are checked out. */
export async function nestedRoots(
  { root }: Repository,
  untracked: readonly string[],
  run: GitRun,
): Promise<Repository[]> {
  const modules = await readFile(join(root, ".gitmodules"), "utf8").catch(() => "")
  const entries = modules === "" ? [] : records((await git(["ls-files", "--stage", "-z"], run)) ?? Buffer.alloc(0))
  const submodules = entries
    .filter((entry) => entry.startsWith("160000 "))
    .map((entry) => entry.slice(entry.indexOf("\t") + 1))
  const { environment } = run
  const found = await Promise.all(
    [...untracked, ...submodules].map((name) => findRepository(join(root, name), environment)),
  )
  return found.filter((repository) => repository !== undefined)
}

/** A file as git's index has it. */
export interface IndexEntry {
  readonly oid: string
  readonly mode: string
  /** Bytes of the file in the worktree when git looked last. */
  readonly size: number
}

const MAX_NAMED = 500

/** Returns the index entries of these files, by path relative to the worktree. */
export async function indexEntries(run: GitRun, names: readonly string[]): Promise<Map<string, IndexEntry>> {
  const args = ["ls-files", "--stage", "--debug", "-z"]
  const found = new Map<string, IndexEntry>()
  const isFew = names.length <= MAX_NAMED
  const environment = { ...run.environment }
  const output = await git(isFew ? ["--literal-pathspecs", ...args, "--", ...names] : args, { ...run, environment })
  const wanted = new Set(names)
  const text = output?.toString("utf8") ?? ""
  for (const match of text.matchAll(/(\d{6}) ([0-9a-f]+) (\d)\t([^\0]*)\0(?: {2}[^\n]*\n)*? {2}size: (\d+)[^\n]*\n/g)) {
    const [, mode = "", oid = "", stage, name = "", size] = match
    if (stage === "0" && wanted.has(name)) found.set(name, { oid, mode, size: Number(size) })
  }
  return found
}

/** Reads objects. Returns undefined in place of those that are missing or larger than `maxBytes`. */
export async function readObjects(
  run: GitRun,
  oids: readonly string[],
  maxBytes: number,
): Promise<(Buffer | undefined)[]> {
  if (oids.length === 0) return []
  const sizes = await git(["cat-file", "--batch-check=%(objectsize)"], { ...run, input: `${oids.join("\n")}\n` })
  const lines = sizes?.toString("utf8").split("\n") ?? []
  const wanted = oids.filter((_, index) => Number(lines[index] ?? Infinity) <= maxBytes)
  const contents = new Map<string, Buffer>()
  const batch = 200
  for (let at = 0; at < wanted.length; at += batch) {
    const some = wanted.slice(at, at + batch)
    const output = await git(["cat-file", "--batch"], { ...run, input: `${some.join("\n")}\n` })
    if (!output) continue
    let offset = 0
    for (const oid of some) {
      const end = output.indexOf(10, offset)
      const size = Number(output.subarray(offset, end).toString("utf8").split(" ")[2])
      if (!Number.isFinite(size)) {
        offset = end + 1
        continue
      }
      contents.set(oid, output.subarray(end + 1, end + 1 + size))
      offset = end + 2 + size
    }
  }
  return oids.map((oid) => contents.get(oid))
}

/**
 * Returns the bytes of a file in the worktree from those that git stores, if they follow from the file's size: the same,
 * or with CRLF in place of LF. Undefined if a filter has changed them in another way. `isConverting`: git may convert
 * files of this repository.
 */
export function worktreeBytes(stored: Buffer, size: number, isConverting: boolean): Buffer | undefined {
  if (stored.byteLength === size) return stored
  // Git writes size 0 for a file that changed together with the index.
  if (size === 0 && !isConverting) return stored
  const text = stored.toString("latin1")
  const converted = Buffer.from(text.replaceAll(/\r?\n/g, "\r\n"), "latin1")
  return converted.byteLength === size ? converted : undefined
}

/** Returns the permission bits of a file from the one that git keeps. Those that it does not keep are taken from the present file. */
export function fullMode(isExecutable: boolean, present?: number): number {
  if (present === undefined) return isExecutable ? 0o755 : 0o644
  const bits = present & 0o7777
  if (isExecutable === (bits & 0o100) > 0) return bits
  // Git lets each user execute the file who may read it.
  return isExecutable ? bits | ((bits & 0o444) >> 2) : bits & ~0o111
}
