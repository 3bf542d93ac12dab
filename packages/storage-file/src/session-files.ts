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
  /** Every session's file, newest first. A directory that has changed is listed; only what differs in it costs more. */
  all(): readonly SessionFile[]
}

interface Project {
  /** Undefined for a directory that may change again without a new time. */
  status: FileStatus | undefined
  /** By name. */
  files: ReadonlyMap<string, SessionFile>
}

/** A directory that changed less than this many milliseconds ago may change again without a new time. */
const SETTLED = 100

export function createSessionFiles(
  store: Pick<Store, "fs">,
  read: (path: string) => SessionID | undefined,
): SessionFiles {
  const projects = new Map<string, Project>()
  let sorted: SessionFile[] = []

  /** Brings one project up to date, and adds to `added` and `removed` what is new and what is gone. */
  function update(name: string, added: SessionFile[], removed: Set<SessionFile>): void {
    const directory = `session/${name}`
    const status = store.fs.status(directory)
    const known = projects.get(name)
    if (known?.status && status && isSameDirectory(known.status, status)) return
    const isSettled = status !== undefined && Date.now() - status.changed > SETTLED
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
      // What is sorted already is found to be so: few new ones cost little.
      if (added.length > 0) sorted = [...sorted, ...added].sort(byID)
      return projects.size > 1 ? eachOnce(sorted) : sorted
    },
  }
}

/** The id that a file's contents tell, for names too short for it. */
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

/** A session that was copied to a second project is listed once, from where it is found. */
function eachOnce(sorted: readonly SessionFile[]): SessionFile[] {
  return sorted.filter(({ id }, index) => sorted[index - 1]?.id !== id)
}

function isSameDirectory(a: FileStatus, b: FileStatus): boolean {
  return a.inode === b.inode && a.changed === b.changed && a.touched === b.touched
}
