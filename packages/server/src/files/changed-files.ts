import { lstat } from "node:fs/promises"
import { join } from "node:path"
import { git } from "./git.ts"
import { readRegularFile } from "./regular-file.ts"

export interface ChangedFile {
  readonly path: string
  readonly added: number
  readonly removed: number
  readonly status: "added" | "deleted" | "modified"
}

/** Untracked files that are read at the same time. Each may have many megabytes. */
const MAX_READS = 4
/** Git takes a file for a binary one if there is a NUL in this part of it. */
const BINARY_CHECK_BYTES = 8000

/**
 * Returns differences from a commit, by default the last one, including untracked files; empty outside of git. Paths are relative to the
 * worktree.
 */
export async function changedFiles(worktree: string, base = "HEAD"): Promise<ChangedFile[]> {
  const [counted, named, untracked] = await Promise.all([
    git(worktree, ["diff", "--numstat", "-z", "--no-renames", base]),
    git(worktree, ["diff", "--name-status", "-z", "--no-renames", base]),
    git(worktree, ["ls-files", "--others", "--exclude-standard", "-z"]),
  ])
  const statuses = new Map(pairs(words(named)).map(([letter, path]) => [path, letter]))
  const tracked = words(counted).map((line): ChangedFile => {
    const [added = "0", removed = "0", ...rest] = line.split("\t")
    const path = rest.join("\t")
    return { path, added: Number(added) || 0, removed: Number(removed) || 0, status: statusOf(statuses.get(path)) }
  })
  const paths = words(untracked)
  const others: ChangedFile[] = []
  for (let at = 0; at < paths.length; at += MAX_READS) {
    const read = paths.slice(at, at + MAX_READS).map(async (path): Promise<ChangedFile> => {
      return { path, added: await linesOf(join(worktree, path)), removed: 0, status: "added" }
    })
    others.push(...(await Promise.all(read)))
  }
  return [...tracked, ...others]
}

const NEWLINE = 0x0a

/** Counts like git: a link has one line, a binary or very large file none. */
async function linesOf(path: string): Promise<number> {
  try {
    if ((await lstat(path)).isSymbolicLink()) return 1
    const bytes = await readRegularFile(path, "Query")
    if (bytes.subarray(0, BINARY_CHECK_BYTES).includes(0)) return 0
    let lines = bytes.length === 0 || bytes.at(-1) === NEWLINE ? 0 : 1
    for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) lines++
    return lines
  } catch {
    return 0
  }
}

function statusOf(letter: string | undefined): ChangedFile["status"] {
  if (letter === "A") return "added"
  return letter === "D" ? "deleted" : "modified"
}

function words(output: string | undefined): string[] {
  return (output ?? "").split("\0").filter((word) => word !== "")
}

function pairs(list: readonly string[]): [string, string][] {
  return list.flatMap((word, at): [string, string][] => (at % 2 === 0 ? [[word, list[at + 1] ?? ""]] : []))
}
