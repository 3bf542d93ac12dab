import { closeSync, fstatSync, openSync, readSync } from "node:fs"

/** The content of a write-ahead log, read without SQLite. https://www.sqlite.org/fileformat2.html#the_write_ahead_log */
export interface LogContent {
  readonly pageSize: number
  /** Page number to where its newest committed content begins in the log. */
  readonly pages: ReadonlyMap<number, number>
  /**
   * `whole`: valid up to the last frame, or to the beginning of an unfinished commit. `broken`: valid frames follow a
   * damaged one. `foreign`: it has no header of a log.
   */
  readonly state: "absent" | "whole" | "broken" | "foreign"
}

const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
const MAGIC = 0x377f0682

export function readLog(path: string): LogContent {
  const absent: LogContent = { pageSize: 0, pages: new Map(), state: "absent" }
  let file: number
  try {
    file = openSync(path, "r")
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return absent
    throw error
  }
  try {
    const { size } = fstatSync(file)
    // The log ended while it was created, because SQLite writes its header to the disk first.
    if (size < HEADER_BYTES) return absent
    const header = read(file, 0, HEADER_BYTES)
    const magic = header.readUInt32BE(0)
    const isBigEndian = (magic & 1) === 1
    const sums = checksum(header.subarray(0, 24), [0, 0], isBigEndian)
    const isHeader = (magic & ~1) >>> 0 === MAGIC && matches(sums, header, 24)
    if (!isHeader) return { ...absent, state: "foreign" }
    return { pageSize: header.readUInt32BE(8), ...readFrames({ file, size, header, isBigEndian, sums }) }
  } finally {
    closeSync(file)
  }
}

interface Frames {
  readonly file: number
  readonly size: number
  readonly header: Buffer
  readonly isBigEndian: boolean
  readonly sums: Sums
}

function readFrames({ file, size, header, isBigEndian, sums }: Frames): Pick<LogContent, "pages" | "state"> {
  const pageSize = header.readUInt32BE(8)
  const salts = header.subarray(16, 24)
  const pages = new Map<number, number>()
  const uncommitted = new Map<number, number>()
  let isBroken = false
  for (
    let offset = HEADER_BYTES;
    offset + FRAME_HEADER_BYTES + pageSize <= size;
    offset += FRAME_HEADER_BYTES + pageSize
  ) {
    const frame = read(file, offset, FRAME_HEADER_BYTES + pageSize)
    const isOurs = frame.subarray(8, 16).equals(salts)
    if (isBroken) {
      // A later frame of this log, so the frames before it are damaged, not unfinished.
      if (isOurs && frame.readUInt32BE(4) > 0) return { pages, state: "broken" }
      continue
    }
    const head = checksum(frame.subarray(0, 8), sums, isBigEndian)
    const next = checksum(frame.subarray(FRAME_HEADER_BYTES), head, isBigEndian)
    if (!isOurs || !matches(next, frame, 16)) {
      isBroken = true
      continue
    }
    sums = next
    uncommitted.set(frame.readUInt32BE(0), offset + FRAME_HEADER_BYTES)
    if (frame.readUInt32BE(4) === 0) continue
    for (const [page, at] of uncommitted) pages.set(page, at)
    uncommitted.clear()
  }
  return { pages, state: "whole" }
}

type Sums = readonly [number, number]

function checksum(bytes: Buffer, [first, second]: Sums, isBigEndian: boolean): Sums {
  let [a, b] = [first, second]
  for (let offset = 0; offset + 8 <= bytes.length; offset += 8) {
    a = (a + (isBigEndian ? bytes.readUInt32BE(offset) : bytes.readUInt32LE(offset)) + b) >>> 0
    b = (b + (isBigEndian ? bytes.readUInt32BE(offset + 4) : bytes.readUInt32LE(offset + 4)) + a) >>> 0
  }
  return [a, b]
}

function matches([a, b]: Sums, bytes: Buffer, offset: number): boolean {
  return bytes.readUInt32BE(offset) === a && bytes.readUInt32BE(offset + 4) === b
}

function read(file: number, offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  return bytes.subarray(0, readSync(file, bytes, 0, length, offset))
}
