import type { Session, SessionID } from "@pawl/core/storage"
import type { FileStatus } from "./file-system.ts"
import { SESSION_INDEX } from "./layout.ts"
import { readSessionFile } from "./record-file.ts"
import { createSessionFiles, idWithin, type SessionFile } from "./session-files.ts"
import type { Store } from "./store.ts"

// Caches the fields of sessions that queries use, so that files of other sessions are not read. Each entry has the
// file's size and time of change, and is valid only while the file has them.

/** The fields of a session that queries use. */
export interface SessionHead {
  readonly id: SessionID
  readonly projectID: string
  readonly directory: string
  readonly parentID: SessionID | undefined
  readonly title: string
  readonly isArchived: boolean
}

/** The file's size and time of change, then the head. */
type Entry = readonly [
  size: number,
  changed: number,
  projectID: string,
  directory: string,
  parentID: string | null,
  title: string,
  isArchived: 0 | 1,
]

export interface SessionIndex {
  /** Every session's file, newest first. */
  files(): readonly SessionFile[]
  /** Undefined if the file is missing or unreadable. */
  head(file: SessionFile): SessionHead | undefined
  /** Writes the index to a file if that makes the next process much faster. */
  save(): void
  /** Reads every file and rewrites the index. */
  rebuild(): void
  /** Returns sessions whose entry seems valid by size and time but differs from the file. */
  wrong(): SessionFile[]
}

/** Number of files read by one process after which the index is saved. */
const MIN_SAVED_READS = 200

export function createSessionIndex(store: Store): SessionIndex {
  const sessionFiles = createSessionFiles(store, (path) => idWithin(store, path))
  const files = () => sessionFiles.all()
  let entries: Map<string, Entry> | undefined
  let read = 0

  function known(): Map<string, Entry> {
    return (entries ??= loadEntries(store))
  }

  function head(file: SessionFile, believes: boolean): SessionHead | undefined {
    const status = store.fs.status(file.path)
    if (!status) return undefined
    const entry = believes ? known().get(file.path) : undefined
    if (entry?.[0] === status.size && entry[1] === status.changed) return fromEntry(file.id, entry)
    const session = readSessionFile(store, file.path, file.id)?.value
    if (!session) return undefined
    read++
    known().set(file.path, toEntry(status, session))
    return headOf(session)
  }

  function save(): void {
    const current = known()
    const kept = files().flatMap(({ path }) => {
      const entry = current.get(path)
      return entry ? [[path, entry] as const] : []
    })
    const temporary = store.temporaryPath()
    store.fs.write(temporary, Buffer.from(JSON.stringify(kept)))
    store.fs.rename(temporary, SESSION_INDEX)
    read = 0
  }

  return {
    files,
    head: (file) => head(file, true),
    save() {
      if (read < MIN_SAVED_READS) return
      try {
        save()
      } catch {
        // The index is only a cache, so a full or read-only disk must not make listing fail.
      }
    },
    rebuild() {
      entries = new Map()
      for (const file of files()) head(file, false)
      save()
    },
    wrong() {
      return files().filter((file) => {
        const status = store.fs.status(file.path)
        const entry = known().get(file.path)
        const session = status && readSessionFile(store, file.path, file.id)?.value
        if (!entry || !session || entry[0] !== status.size || entry[1] !== status.changed) return false
        return JSON.stringify(entry) !== JSON.stringify(toEntry(status, session))
      })
    },
  }
}

export function headOf(session: Session): SessionHead {
  const { id, projectID, directory, parentID, title, time } = session
  return { id, projectID, directory, parentID, title, isArchived: time.archived !== undefined }
}

function loadEntries({ fs }: Store): Map<string, Entry> {
  try {
    const value: unknown = JSON.parse(fs.readFile(SESSION_INDEX)?.toString() ?? "[]")
    return new Map(Array.isArray(value) ? value.filter(isEntry) : [])
  } catch (error) {
    if (error instanceof SyntaxError) return new Map()
    throw error
  }
}

function isEntry(value: unknown): value is [string, Entry] {
  if (!Array.isArray(value) || typeof value[0] !== "string" || !Array.isArray(value[1])) return false
  const [size, changed, projectID, directory, parentID, title, isArchived] = value[1] as unknown[]
  return (
    [size, changed, isArchived].every((field) => typeof field === "number") &&
    [projectID, directory, title, parentID ?? ""].every((field) => typeof field === "string")
  )
}

function toEntry({ size, changed }: FileStatus, session: Session): Entry {
  const { projectID, directory, parentID, title, time } = session
  return [size, changed, projectID, directory, parentID ?? null, title, time.archived === undefined ? 0 : 1]
}

function fromEntry(id: SessionID, [, , projectID, directory, parentID, title, isArchived]: Entry): SessionHead {
  return {
    id,
    projectID,
    directory,
    parentID: (parentID as SessionID | null) ?? undefined,
    title,
    isArchived: isArchived === 1,
  }
}
