import { blobReferences, StorageError } from "@pawl/core/storage"
import type { FileChange } from "./file-change.ts"
import type { FileStatus } from "./file-system.ts"
import type { JournalCommit } from "./journal.ts"
import { makeParents } from "./make-parents.ts"
import type { Store } from "./store.ts"

/**
 * The files of a commit, written as temporary files beside their targets. A rename of each one completes the commit.
 */
export interface StagedFiles {
  apply(): void
  discard(): void
}

interface Growth {
  readonly bytes: Uint8Array
  /** Offset in the file. The bytes before it are already there. */
  readonly position: number
}

interface StagedFile {
  readonly path: string
  readonly temporary: string | undefined
  readonly growth: Growth | undefined
}

/** Minimum length in bytes for an overwrite in place. Shorter files are replaced. */
const MIN_OVERWRITE_BYTES = 1024

/**
 * Writes every file of a commit except those that are later overwritten in place, so that a full disk is noticed before
 * the commit counts. If it throws, it has removed what it wrote.
 */
export function stageFiles(store: Store, files: readonly FileChange[]): StagedFiles {
  const staged: StagedFile[] = []
  const discard = () => {
    for (const { temporary } of staged) if (temporary !== undefined) store.fs.remove(temporary)
  }
  try {
    for (const [path, json] of files) {
      const status = store.fs.status(path)
      if (status?.isDirectory && path.endsWith(".json")) throw directoryInPlace(path)
      const bytes = json === null ? undefined : Buffer.from(readable(json))
      const growth = bytes && growthOf(store, path, bytes, status)
      const temporary = bytes && !growth ? store.temporaryPath() : undefined
      staged.push({ path, temporary, growth })
      if (bytes && temporary !== undefined) store.fs.write(temporary, bytes)
    }
  } catch (error) {
    attempt(discard)
    throw error
  }
  return {
    apply() {
      for (const file of staged) place(store, file)
    },
    discard: () => attempt(discard),
  }
}

/** Writes the files as the commits left them. Can be repeated until a later commit is written. */
export function replay(store: Store, commits: readonly JournalCommit[]): void {
  const last = lastChanges(store, commits)
  for (const path of last.keys()) if (last.get(path) !== null) makeParents(store.fs, path)
  stageFiles(store, [...last]).apply()
}

/** Returns the files that `replay` writes, without directories. A value is null for a file that `replay` removes. */
export function contentsOf(store: Store, commits: readonly JournalCommit[]): Map<string, Buffer | null> {
  const files = [...lastChanges(store, commits)].filter(([path]) => path.endsWith(".json"))
  return new Map(files.map(([path, json]) => [path, json === null ? null : Buffer.from(readable(json))]))
}

/** Returns the last change of each file, in the order of the changes. */
export function lastChanges(store: Store, commits: readonly JournalCommit[]): Map<string, string | null> {
  const last = new Map<string, string | null>()
  for (const { files } of commits) {
    for (const [path, json] of files) {
      last.delete(path)
      last.set(path, json)
    }
  }
  for (const path of last.keys()) requireRecordPath(store.root, path)
  return last
}

/** Returns the JSON with indentation. */
export function readable(json: string): string {
  return `${JSON.stringify(JSON.parse(json), null, 2)}\n`
}

/**
 * Returns the position from which the file differs, if most of it stays the same, as for a streamed answer. Then only
 * the bytes from there on are written. Other readers wait for the lock meanwhile, and after a crash the journal has the
 * whole content. Not used if these bytes contain blob references: garbage collection must not read a partial reference.
 */
function growthOf(
  { fs, isSync }: Store,
  path: string,
  bytes: Buffer,
  { size, links }: Pick<FileStatus, "size" | "links"> = { size: 0, links: 0 },
): Growth | undefined {
  // A file with several hard links may be a user's copy, which must not change.
  if (!isSync || links !== 1 || bytes.length < MIN_OVERWRITE_BYTES || size > bytes.length || 2 * size < bytes.length)
    return undefined
  const before = fs.readFile(path)
  if (!before || before.length > bytes.length) return undefined
  let position = 0
  while (position < before.length && before[position] === bytes[position]) position++
  const added = bytes.subarray(position)
  if (position < bytes.length / 2) return undefined
  const isPlain = [before.subarray(position), added].every((tail) => blobReferences(tail.toString()).length === 0)
  return isPlain ? { bytes, position } : undefined
}

function grow({ fs, temporaryPath }: Store, path: string, { bytes, position }: Growth): void {
  try {
    fs.overwrite(path, position, bytes.subarray(position))
  } catch {
    // A read-only file can still be replaced.
    const temporary = temporaryPath()
    fs.write(temporary, bytes)
    fs.rename(temporary, path)
  }
}

function place(store: Store, { path, temporary, growth }: StagedFile): void {
  const { fs } = store
  if (growth) grow(store, path, growth)
  else if (temporary !== undefined) fs.rename(temporary, path)
  else if (path.endsWith(".json")) fs.remove(path)
  else fs.removeDirectory(path)
}

/** Rejects paths outside the records, since a copied journal may contain any path. */
function requireRecordPath(root: string, path: string): void {
  if (/^(?:session|message|part)\/[^/\\]+\/[^/\\]+\.json$/.test(path) && !path.includes("/../")) return
  if (/^part\/[\w%~@-]+$/.test(path)) return
  throw new StorageError(
    `A journal in ${root} names "${path}", which is not a record's file. Restore a backup of .pawl.`,
  )
}

/** The error for a directory at the path of a file, which a rename cannot replace. */
function directoryInPlace(path: string): Error {
  return Object.assign(new Error("EISDIR: is a directory"), { code: "EISDIR", path })
}

/** Ignores errors, so that a failing cleanup does not hide the error that caused it. */
function attempt(work: () => void): void {
  try {
    work()
  } catch {
    // Temporary files are removed when the storage is opened the next time.
  }
}
