import type { SessionID } from "@pawl/core/storage"
import type { FileStatus } from "./file-system.ts"
import { isStray, parentOf } from "./layout.ts"
import { readSessionFile } from "./record-file.ts"
import { fromName, isPlainName, isShortenedName } from "./record-name.ts"
import type { Store } from "./store.ts"

/** A session's file. */
export interface SessionFile {
  readonly id: SessionID
  readonly path: string
}

export interface SessionFiles {
  /** Returns every session's file, newest first. Lists only directories that have changed. */
  all(): readonly SessionFile[]
}

interface Project {
  /** Undefined for a directory that may change again without a new time. */
  status: FileStatus | undefined
  /** By name. */
  files: ReadonlyMap<string, SessionFile>
}

/** A directory that changed more recently than this, in milliseconds, may change again without a new time. */
const SETTLED_MS = 100

export function createSessionFiles(
  store: Pick<Store, "fs">,
  read: (path: string) => SessionID | undefined,
): SessionFiles {
  const projects = new Map<string, Project>()
  let sorted: SessionFile[] = []

  /** Updates one project, and adds its new files to `added` and the missing ones to `removed`. */
  function update(name: string, added: SessionFile[], removed: Set<SessionFile>): void {
    const directory = `session/${name}`
    const status = store.fs.status(directory)
    const known = projects.get(name)
    if (known?.status && status && isSameDirectory(known.status, status)) return
    const isSettled = status !== undefined && Date.now() - status.changed > SETTLED_MS
    const files = new Map<string, SessionFile>()
    const addedBefore = added.length
    for (const file of store.fs.readDirectory(directory) ?? []) {
      const before = known?.files.get(file)
      const found = before ?? toSessionFile(directory, file, read)
      if (!found) continue
      files.set(file, found)
      if (!before) added.push(found)
    }
    if (known && known.files.size > files.size - (added.length - addedBefore)) {
      for (const [file, before] of known.files) if (!files.has(file)) removed.add(before)
    }
    projects.set(name, { status: isSettled ? status : undefined, files })
  }

  return {
    all() {
      const names = (store.fs.readDirectory("session") ?? []).filter((name) => !isStray(name))
      const added: SessionFile[] = []
      const removed = new Set<SessionFile>()
      for (const name of new Set([...projects.keys(), ...names])) update(name, added, removed)
      for (const [name, { files }] of projects) if (files.size === 0) projects.delete(name)
      if (removed.size > 0) sorted = sorted.filter((file) => !removed.has(file))
      // Sorting is fast here, since most of the array is sorted already.
      if (added.length > 0) sorted = [...sorted, ...added].sort(byID)
      return projects.size > 1 ? eachOnce(sorted) : sorted
    },
  }
}

/** Reads the id from the contents of a file with a truncated name. */
export function idWithin(store: Store, path: string): SessionID | undefined {
  return readSessionFile(store, path, undefined)?.value?.id
}

function toSessionFile(
  directory: string,
  name: string,
  read: (path: string) => SessionID | undefined,
): SessionFile | undefined {
  const path = `${directory}/${name}`
  if (name.startsWith("ses_") && isPlainName(name)) return { id: name.slice(0, -5) as SessionID, path }
  if (!name.endsWith(".json") || isStray(name)) return undefined
  const base = name.slice(0, -5)
  const id = isShortenedName(base) ? read(path) : fromName(base)
  return id?.startsWith("ses_") ? { id: id as SessionID, path } : undefined
}

function byID(a: SessionFile, b: SessionFile): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : parentOf(a.path) < parentOf(b.path) ? -1 : 1
}

/** Keeps one file of a session that was copied to a second project: the one that `findSession` returns. */
function eachOnce(sorted: readonly SessionFile[]): SessionFile[] {
  return sorted.filter(({ id }, index) => sorted[index - 1]?.id !== id)
}

function isSameDirectory(a: FileStatus, b: FileStatus): boolean {
  return a.inode === b.inode && a.changed === b.changed && a.touched === b.touched
}
