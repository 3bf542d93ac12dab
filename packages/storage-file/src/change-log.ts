import type { Revision } from "@pawl/core/storage"
import { parseLine, readLines, toLine } from "./checked-lines.ts"
import type { FileSystem } from "./file-system.ts"
import type { CommitRecords, RecordKey } from "./journal.ts"

// Lists the records of commits that were moved out of the journal, one line for each commit, without contents. An
// interrupted checkpoint can repeat lines; the last line of a record counts.

type Line = readonly [revision: Revision, records: readonly RecordKey[]]

const CHUNK_BYTES = 64 * 1024

/** Appends the commits that the log lacks. First cuts off an incomplete last line. */
export function appendCommits(fs: FileSystem, path: string, commits: readonly CommitRecords[]): void {
  mendEnd(fs, path)
  const last = lastLogged(fs, path)
  const lines = commits
    .filter(({ revision }) => revision > last)
    .map(({ revision, records }) => toLine([revision, records] satisfies Line))
  if (lines.length > 0) fs.append(path, Buffer.from(lines.join("")))
}

/** Returns the last revision in the log; 0 if there is no log. */
export function lastLogged(fs: FileSystem, path: string): Revision {
  return Math.max(0, ...backward(fs, path, Number.POSITIVE_INFINITY, 1).map(({ revision }) => revision))
}

/** Returns the commits after `after` in ascending order. Reads only the end of the log that contains them. */
export function readLogged(fs: FileSystem, path: string, after: Revision): CommitRecords[] {
  return backward(fs, path, after)
}

/** Returns each record once with its last revision, ordered by its last write. */
export function lastOfEach(commits: readonly CommitRecords[]): { revision: Revision; key: RecordKey }[] {
  const last = new Map<string, { revision: Revision; key: RecordKey }>()
  for (const { revision, records } of commits) {
    for (const key of records) {
      const name = JSON.stringify([key[0], key[1]])
      last.delete(name)
      last.set(name, { revision, key })
    }
  }
  return [...last.values()]
}

/**
 * Returns true if every line of the log is valid. An incomplete last line is valid, since the journal still has its
 * commit.
 */
export function isWhole(fs: FileSystem, path: string): boolean {
  const bytes = fs.readFile(path) ?? Buffer.alloc(0)
  return readLines(bytes).end === bytes.lastIndexOf(10) + 1
}

/** Reads backward from the end until it reaches the revision `after` or has enough lines. */
function backward(fs: FileSystem, path: string, after: Revision, most = Number.POSITIVE_INFINITY): CommitRecords[] {
  const found: CommitRecords[] = []
  let position = fs.status(path)?.size ?? 0
  let rest = Buffer.alloc(0)
  while (position > 0) {
    const length = Math.min(CHUNK_BYTES, position)
    position -= length
    rest = Buffer.concat([fs.readRange(path, position, length), rest])
    for (let line = takeLast(rest, position); line; line = takeLast(rest, position)) {
      rest = rest.subarray(0, line.start)
      const value = parseLine(line.bytes) as Line | undefined
      if (value === undefined) continue
      const isAsked = most === 1 || value[0] > after
      if (isAsked) found.push({ revision: value[0], records: value[1] })
      if (!isAsked || found.length >= most) return found.toReversed()
    }
  }
  return found.toReversed()
}

/** Returns the last line if the bytes contain its beginning. Ignores an incomplete line after the last newline. */
function takeLast(bytes: Buffer, position: number): { bytes: Buffer; start: number } | undefined {
  const newline = bytes.lastIndexOf(10)
  if (newline < 0) return undefined
  const before = newline === 0 ? -1 : bytes.lastIndexOf(10, newline - 1)
  if (before < 0 && position > 0) return undefined
  return { bytes: bytes.subarray(before + 1, newline), start: before + 1 }
}

function mendEnd(fs: FileSystem, path: string): void {
  const size = fs.status(path)?.size ?? 0
  let length = Math.min(CHUNK_BYTES, size)
  let newline = lastNewline(fs, path, size, length)
  while (newline < 0 && length < size) {
    length = Math.min(2 * length, size)
    newline = lastNewline(fs, path, size, length)
  }
  if (newline + 1 < size) fs.truncate(path, newline + 1)
}

/** Returns the position in the file of the last newline among its last bytes; -1 if they have no newline. */
function lastNewline(fs: FileSystem, path: string, size: number, length: number): number {
  const at = fs.readRange(path, size - length, length).lastIndexOf(10)
  return at < 0 ? -1 : size - length + at
}
