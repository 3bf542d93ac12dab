import type { Revision } from "@pawl/core/storage"
import { parseLine, readLines, toLine } from "./checked-lines.ts"
import type { FileChange } from "./file-change.ts"
import type { FileStatus, FileSystem } from "./file-system.ts"
import { createDeltaReader, type WrittenChange } from "./journal-delta.ts"

// A session's journal holds its commits since the last checkpoint: a header, then one line for each commit. A commit
// counts once its line is on the disk. After a crash, its files are written again from that line.

export interface JournalHeader {
  readonly pawl: 1
  readonly session: string
  /** The boot in which the lines were written. After another boot, data that was not synced is lost. */
  readonly boot: string
  /** Identifies this journal among all that have used the same file. */
  readonly token: string
}

/**
 * The message id is `""` for the session itself, and the part id is `""` for a message. 0 if the record was removed.
 */
export type RecordKey = readonly [messageID: string, partID: string, stored: 0 | 1]

export interface JournalCommit {
  readonly revision: Revision
  readonly records: readonly RecordKey[]
  readonly files: readonly FileChange[]
}

/** The last line of a session that is being removed. */
export interface JournalRemoval {
  readonly removed: true
}

export type JournalEntry = JournalCommit | JournalRemoval

/** A line of the journal. If an earlier line has the same file, this one may have only the difference. */
export type WrittenEntry = (CommitRecords & { readonly files: readonly WrittenChange[] }) | JournalRemoval

/** A commit without its contents. */
export type CommitRecords = Pick<JournalCommit, "revision" | "records">

/** The content of a journal, without the contents of its files. */
export interface JournalView {
  readonly header: JournalHeader | undefined
  readonly commits: readonly CommitRecords[]
  readonly removed: boolean
  /** Position in bytes of the end of the last valid line. */
  readonly end: number
  /** Size in bytes, including an incomplete line after a crash. */
  readonly size: number
}

export interface Journals {
  /** Returns the current content. Reads only what was added since the last call. Undefined if there is no journal. */
  view(path: string): JournalView | undefined
  /** Returns every entry with the contents of its files. */
  entries(path: string): JournalEntry[]
  forget(path: string): void
}

interface Remembered {
  readonly status: FileStatus
  readonly firstLine: string
  readonly view: JournalView
}

/** Number of sessions whose journals are cached. */
const MAX_CACHED_JOURNALS = 256

export function createJournals(fs: FileSystem): Journals {
  const remembered = new Map<string, Remembered>()

  function remember(path: string, entry: Remembered): JournalView {
    remembered.delete(path)
    remembered.set(path, entry)
    const [oldest] = remembered.keys()
    if (remembered.size > MAX_CACHED_JOURNALS && oldest !== undefined) remembered.delete(oldest)
    return entry.view
  }

  return {
    view(path) {
      const status = fs.status(path)
      const known = remembered.get(path)
      if (!status) {
        remembered.delete(path)
        return undefined
      }
      if (known && isSame(known.status, status)) return known.view
      const firstLine = readFirstLine(fs, path)
      if (known && firstLine !== "" && firstLine === known.firstLine && status.size >= known.view.end) {
        const { end } = known.view
        const view = extended(known.view, fs.readRange(path, end, status.size - end), status.size)
        return remember(path, { status, firstLine, view })
      }
      const bytes = status.size === 0 ? Buffer.alloc(0) : (fs.readFile(path) ?? Buffer.alloc(0))
      return remember(path, { status, firstLine, view: extended(EMPTY, bytes, bytes.length) })
    },
    entries(path) {
      const inFull = createDeltaReader()
      return readLines(fs.readFile(path) ?? Buffer.alloc(0))
        .values.filter(isEntry)
        .map((entry) => ("removed" in entry ? entry : { ...entry, files: inFull(entry.files) }))
    },
    forget: (path) => void remembered.delete(path),
  }
}

export function headerLine(header: JournalHeader): string {
  return toLine(header)
}

export function entryLine(entry: WrittenEntry): string {
  return toLine(entry)
}

export function isSame(a: FileStatus | undefined, b: FileStatus | undefined): boolean {
  return a?.inode === b?.inode && a?.size === b?.size && a?.changed === b?.changed
}

const EMPTY: JournalView = { header: undefined, commits: [], removed: false, end: 0, size: 0 }

function extended(view: JournalView, bytes: Buffer, size: number): JournalView {
  const { values, end } = readLines(bytes)
  const entries = values.filter(isEntry)
  return {
    header: view.header ?? values.find(isHeader),
    commits: [
      ...view.commits,
      ...entries.flatMap((entry) => ("removed" in entry ? [] : { revision: entry.revision, records: entry.records })),
    ],
    removed: view.removed || entries.some((entry) => "removed" in entry),
    end: view.end + end,
    size,
  }
}

/** Returns the header without the end of its line. It identifies the journal. */
function readFirstLine(fs: FileSystem, path: string): string {
  const bytes = fs.readRange(path, 0, 1024)
  const newline = bytes.indexOf(10)
  return newline < 0 || parseLine(bytes.subarray(0, newline)) === undefined ? "" : bytes.toString("latin1", 0, newline)
}

export function isCommit(entry: JournalEntry): entry is JournalCommit {
  return "revision" in entry
}

function isHeader(value: unknown): value is JournalHeader {
  return typeof value === "object" && value !== null && "pawl" in value
}

function isEntry(value: unknown): value is WrittenEntry {
  return (
    typeof value === "object" && value !== null && ("revision" in value || "removed" in value) && !("pawl" in value)
  )
}
