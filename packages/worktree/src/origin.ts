import { readFile, realpath } from "node:fs/promises"
import { basename, dirname, join, relative, sep } from "node:path"

/** A worktree that pawl has created, as it is stored beside it. */
export interface WorktreeRecord {
  readonly version: 1
  readonly name: string
  readonly branch: string
  /** Absolute, without links: root of the worktree in which it was created, and into which it is merged. */
  readonly origin: string
  /** The same of the directory that all worktrees of the repository share. */
  readonly common: string
  /** Commit at which it began. */
  readonly base: string
  /** Epoch milliseconds. */
  readonly created: number
  /** Tip of the branch when it was last merged as one commit, and that commit. */
  readonly squashed?: { readonly tip: string; readonly commit: string }
}

/** Directory of all worktrees of all repositories. */
export function worktreesDirectory(dataDirectory: string): string {
  return join(dataDirectory, "worktrees")
}

/** Returns the file about the worktree at this path. Names cannot begin with a dot, so it has no worktree's path. */
export function recordFile(path: string): string {
  return join(dirname(path), ".records", `${basename(path)}.json`)
}

/** Returns what is stored about the worktree at this path; undefined if pawl did not create it. */
export async function readRecord(path: string): Promise<WorktreeRecord | undefined> {
  const text = await readFile(recordFile(path), "utf8").catch(() => undefined)
  return text === undefined ? undefined : parsed(text)
}

function parsed(text: string): WorktreeRecord | undefined {
  try {
    const value = JSON.parse(text) as Partial<WorktreeRecord> | null
    const { version, name, branch, origin, common, base, created } = value ?? {}
    const isWhole = [name, branch, origin, common, base].every((each) => typeof each === "string")
    return version === 1 && isWhole && typeof created === "number" ? (value as WorktreeRecord) : undefined
  } catch {
    return undefined
  }
}

/** The working directory and the root of its worktree, both absolute and without links. */
export interface Place {
  readonly directory: string
  readonly worktree: string
}

/** Worktrees may be created in worktrees. */
const MAX_DEPTH = 10

/**
 * Returns the directories from which a worktree of pawl was created, nearest first; none for any other directory. Only what
 * is stored in pawl's own directory counts, so no repository can claim another's place.
 */
export async function originsOf(dataDirectory: string, { directory, worktree }: Place): Promise<Place[]> {
  const above = await realpath(worktreesDirectory(dataDirectory)).catch(() => undefined)
  const origins: Place[] = []
  let root = worktree
  while (dirname(dirname(root)) === above && origins.length < MAX_DEPTH) {
    const record = await readRecord(root)
    if (!record) break
    origins.push({ directory: join(record.origin, relative(worktree, directory)), worktree: record.origin })
    root = record.origin
  }
  return origins
}

/** Returns the name of the worktree that holds a path, whether or not it exists; undefined outside of all. */
export function worktreeNameOf(dataDirectory: string, path: string): string | undefined {
  const [top, name] = relative(worktreesDirectory(dataDirectory), path).split(sep)
  return top === undefined || top === "" || top === ".." ? undefined : name
}
