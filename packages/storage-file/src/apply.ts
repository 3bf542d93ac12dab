import { StorageError } from "@pawl/core"
import { parentOf } from "./layout.ts"
import type { FileSystem } from "./file-system.ts"
import type { FileChange, JournalCommit } from "./journal.ts"
import type { Store } from "./store.ts"

/** A commit's files, written beside their places: what is left is to move them there. */
export interface StagedFiles {
  apply(): void
  discard(): void
}

/** Writes all that needs space, so that a full disk shows before the commit counts. Throws and leaves nothing. */
export function stageFiles(store: Store, files: readonly FileChange[]): StagedFiles {
  const staged: { path: string; temporary: string | undefined }[] = []
  const discard = () => {
    for (const { temporary } of staged) if (temporary !== undefined) store.fs.remove(temporary)
  }
  try {
    for (const [path, json] of files) {
      const temporary = json === null ? undefined : store.temporaryPath()
      staged.push({ path, temporary })
      if (temporary !== undefined && json !== null) store.fs.write(temporary, Buffer.from(readable(json)))
    }
  } catch (error) {
    attempt(discard)
    throw error
  }
  return {
    apply() {
      for (const { path, temporary } of staged) place(store.fs, path, temporary)
    },
    discard: () => attempt(discard),
  }
}

/** Makes the files what the commits left them in. May be done again at any time before later commits. */
export function replay(store: Store, commits: readonly JournalCommit[]): void {
  const last = new Map<string, string | null>()
  for (const { files } of commits) {
    for (const [path, json] of files) {
      last.delete(path)
      last.set(path, json)
    }
  }
  for (const path of last.keys()) requireRecordPath(store.root, path)
  for (const path of last.keys()) if (last.get(path) !== null) makeParents(store.fs, path)
  stageFiles(store, [...last]).apply()
}

/** The JSON as people read it. */
export function readable(json: string): string {
  return `${JSON.stringify(JSON.parse(json), null, 2)}\n`
}

export function makeParents(fs: FileSystem, path: string): void {
  const parent = parentOf(path)
  if (parent === "" || fs.status(parent)?.isDirectory) return
  if (parent.includes("/")) makeParents(fs, parent)
  fs.makeDirectory(parent)
}

function place(fs: FileSystem, path: string, temporary: string | undefined): void {
  if (temporary !== undefined) fs.rename(temporary, path)
  else if (path.endsWith(".json")) fs.remove(path)
  else fs.removeDirectory(path)
}

/** A journal that was made elsewhere must not reach beyond the records. */
function requireRecordPath(root: string, path: string): void {
  if (/^(?:session|message|part)\/[^/\\]+\/[^/\\]+\.json$/.test(path) && !path.includes("/../")) return
  if (/^part\/[\w%~@-]+$/.test(path)) return
  throw new StorageError(
    `A journal in ${root} names "${path}", which is not a record's file. Restore a backup of .pawl.`,
  )
}

/** What fails while cleaning up must not hide why it is needed. */
function attempt(work: () => void): void {
  try {
    work()
  } catch {
    // Temporary files are removed when the storage is opened the next time.
  }
}
