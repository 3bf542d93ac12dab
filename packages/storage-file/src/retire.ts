import { randomBytes } from "node:crypto"
import { appendCommits } from "./change-log.ts"
import type { FileSystem } from "./file-system.ts"
import { type CommitRecords, entryLine, headerLine, isCommit, type JournalCommit } from "./journal.ts"
import { CHANGES, changesPath, JOURNALS, journalPath, parentOf } from "./layout.ts"
import type { Store } from "./store.ts"

/**
 * Moves the commits up to `revision` to the change log, under the session's lock. If `revision` is undefined, syncs the
 * files first and moves all commits.
 */
export async function retire(store: Store, id: string, revision?: number): Promise<void> {
  const { fs } = store
  const path = journalPath(id)
  const commits = store.journals.entries(path).filter(isCommit)
  const last = revision ?? commits.at(-1)?.revision ?? 0
  if (revision === undefined) await syncFiles(fs, commits)
  await logCommits(
    store,
    id,
    commits.filter((commit) => commit.revision <= last),
  )

  const later = commits.filter((commit) => commit.revision > last)
  if (later.length === 0) {
    fs.truncate(path, 0)
  } else {
    const header = newHeaderLine(store, id)
    const temporary = store.temporaryPath()
    fs.write(temporary, Buffer.from(header + later.map(entryLine).join("")))
    await fs.sync(temporary)
    fs.rename(temporary, path)
    await fs.sync(JOURNALS)
  }
  store.journals.forget(path)
}

/** Appends commits to the change log and syncs it, under the session's lock. */
export async function logCommits(store: Store, id: string, commits: readonly CommitRecords[]): Promise<void> {
  const path = changesPath(id)
  const isNew = store.fs.status(path) === undefined
  appendCommits(store.fs, path, commits)
  if (store.fs.status(path) === undefined) return
  await store.fs.sync(path)
  if (isNew) await store.fs.sync(CHANGES)
}

/** Syncs every file that the commits wrote, and their directories. Ignores files that were removed since. */
export async function syncFiles(fs: FileSystem, commits: readonly JournalCommit[]): Promise<void> {
  const paths = new Set(commits.flatMap(({ files }) => files.map(([path]) => path)))
  const parents = new Set([...paths].map(parentOf))
  const roots = new Set([...parents].map(parentOf))
  roots.delete("")
  for (const group of [paths, parents, roots]) await inGroups([...group], (path) => syncIfThere(fs, path))
}

async function syncIfThere(fs: FileSystem, path: string): Promise<void> {
  try {
    await fs.sync(path)
  } catch (error) {
    if (!["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error
  }
}

/** Runs several at a time, since a file system can write them to the disk together. */
async function inGroups<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let start = 0; start < items.length; start += 8) await Promise.all(items.slice(start, start + 8).map(work))
}

/** Returns the first line for a new journal, with a new token. */
export function newHeaderLine(store: Store, id: string): string {
  return headerLine({ pawl: 1, session: id, boot: store.self.boot, token: randomBytes(8).toString("hex") })
}
