import type { Revision } from "@pawl/core/storage"
import { parseLine, readLines, toLine } from "./checked-lines.ts"
import type { FileSystem } from "./file-system.ts"
import type { CommitRecords, RecordKey } from "./journal.ts"

// What the commits before the journal's wrote, without contents: a line for each. Lines may come twice, when a checkpoint
// was interrupted; of a record its last line counts.

type Line = readonly [revision: Revision, records: readonly RecordKey[]]

const CHUNK = 64 * 1024

/** Adds the commits that are not yet in it; the log's torn end, if it has one, is cut off before. */
export function appendCommits(fs: FileSystem, path: string, commits: readonly CommitRecords[]): void {
  mendEnd(fs, path)
  const last = lastLogged(fs, path)
  const lines = commits
    .filter(({ revision }) => revision > last)
    .map(({ revision, records }) => toLine([revision, records] satisfies Line))
  if (lines.length > 0) fs.append(path, Buffer.from(lines.join("")))
}

/** The last revision in the log; 0 without one. */
export function lastLogged(fs: FileSystem, path: string): Revision {
  return Math.max(0, ...backward(fs, path, Number.POSITIVE_INFINITY, 1).map(({ revision }) => revision))
}

/** The commits after `after` in their order. Costs what it returns. */
export function readLogged(fs: FileSystem, path: string, after: Revision): CommitRecords[] {
  return backward(fs, path, after)
}

/** Each record once, with its last revision, in the order in which they were last written. */
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

/** Returns true if every line of the log is valid. A torn end is valid: the journal still has that commit. */
export function isWhole(fs: FileSystem, path: string): boolean {
  const bytes = fs.readFile(path) ?? Buffer.alloc(0)
  return readLines(bytes).end === bytes.lastIndexOf(10) + 1
}

/** From the end on, until a revision is not asked for or there are enough lines. */
function backward(fs: FileSystem, path: string, after: Revision, most = Number.POSITIVE_INFINITY): CommitRecords[] {
  const found: CommitRecords[] = []
  let position = fs.status(path)?.size ?? 0
  let rest = Buffer.alloc(0)
  while (position > 0) {
    const length = Math.min(CHUNK, position)
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

/** The last line of the bytes, when its beginning is among them; what lies behind the last newline is torn. */
function takeLast(bytes: Buffer, position: number): { bytes: Buffer; start: number } | undefined {
  const newline = bytes.lastIndexOf(10)
  if (newline < 0) return undefined
  const before = newline === 0 ? -1 : bytes.lastIndexOf(10, newline - 1)
  if (before < 0 && position > 0) return undefined
  return { bytes: bytes.subarray(before + 1, newline), start: before + 1 }
}

function mendEnd(fs: FileSystem, path: string): void {
  const size = fs.status(path)?.size ?? 0
  let length = Math.min(CHUNK, size)
  let newline = lastNewline(fs, path, size, length)
  while (newline < 0 && length < size) {
    length = Math.min(2 * length, size)
    newline = lastNewline(fs, path, size, length)
  }
  if (newline + 1 < size) fs.truncate(path, newline + 1)
}

/** The position in the file of the last newline among its last bytes; -1 without one. */
function lastNewline(fs: FileSystem, path: string, size: number, length: number): number {
  const at = fs.readRange(path, size - length, length).lastIndexOf(10)
  return at < 0 ? -1 : size - length + at
}
