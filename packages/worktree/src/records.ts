import { createHash } from "node:crypto"
import { readdir, realpath, rm } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { UsageError } from "@pawl/config/usage-error"
import { privateDirectory, writeDurably } from "@pawl/files/durable-file"
import { withLock } from "@pawl/process-lock"
import type { GitContext } from "./git.ts"
import { checkedName } from "./name.ts"
import { readRecord, recordFile, type WorktreeRecord, worktreesDirectory } from "./origin.ts"

export interface WorktreeDeps extends GitContext {
  /** Absolute path of pawl's data directory. */
  readonly dataDirectory: string
}

/** Returns the directory of a repository's worktrees, without links. Creates it. */
export async function directoryOf(common: string, { dataDirectory }: WorktreeDeps): Promise<string> {
  const parent = worktreesDirectory(dataDirectory)
  await privateDirectory(parent)
  const directory = join(await realpath(parent), directoryName(common))
  await privateDirectory(join(directory, ".records"))
  return directory
}

/** Returns the directory of a repository's worktrees, without links; undefined if pawl has created no worktree at all. */
export async function findDirectory(common: string, { dataDirectory }: WorktreeDeps): Promise<string | undefined> {
  const parent = await realpath(worktreesDirectory(dataDirectory)).catch(() => undefined)
  return parent === undefined ? undefined : join(parent, directoryName(common))
}

function directoryName(common: string): string {
  const hash = createHash("sha256").update(common).digest("hex").slice(0, 8)
  return `${repositoryName(common)}-${hash}`
}

function repositoryName(common: string): string {
  const name = basename(common) === ".git" ? basename(dirname(common)) : basename(common, ".git")
  return (
    name
      .replaceAll(/[^\p{L}\p{N}_.-]+/gu, "-")
      .replace(/^\.+/, "")
      .slice(0, 40) || "repository"
  )
}

/** Runs work that no other process may do for the same repository meanwhile. */
export function inTurn<T>(directory: string, { signal }: GitContext, work: () => Promise<T>): Promise<T> {
  return withLock(join(directory, ".records", "lock"), work, { timeoutMs: 10 * 60_000, ...(signal ? { signal } : {}) })
}

export async function writeRecord(path: string, record: WorktreeRecord): Promise<void> {
  await writeDurably(recordFile(path), (write) => write(`${JSON.stringify(record, undefined, 2)}\n`))
}

export async function removeRecord(path: string): Promise<void> {
  await rm(recordFile(path), { force: true })
}

/** A worktree of pawl and its path. */
export interface RecordedWorktree {
  readonly path: string
  readonly record: WorktreeRecord
}

/** Returns the worktrees of a repository's directory, newest first. */
export async function recordedWorktrees(directory: string): Promise<RecordedWorktree[]> {
  const files = await readdir(join(directory, ".records")).catch(() => [])
  const names = files.filter((file) => file.endsWith(".json")).map((file) => file.slice(0, -".json".length))
  const found = await Promise.all(
    names.map(async (name) => {
      const path = join(directory, name)
      const record = await readRecord(path)
      return record ? [{ path, record }] : []
    }),
  )
  return found.flat().toSorted((a, b) => b.record.created - a.record.created)
}

/** Returns the worktree with this name. Throws UsageError if it does not exist. */
export async function namedWorktree(directory: string, written: string): Promise<RecordedWorktree> {
  const path = join(directory, checkedName(written))
  const record = await readRecord(path)
  if (record) return { path, record }
  throw new UsageError(`This repository has no worktree "${written}" of pawl.`, "List them: pawl worktree list")
}
