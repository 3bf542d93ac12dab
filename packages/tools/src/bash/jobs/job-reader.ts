import { MAX_BYTES } from "../../limits.ts"
import { createOutputTail, lastLines } from "../output-tail.ts"
import type { JobLog } from "./job-log.ts"
import type { LineFilter } from "./line-filter.ts"

/** Reads what a job has written since the last read. */
export interface JobReader {
  /** Returns the last lines of the new output. Lines that are left out count as read. Reads run one after another. */
  read(filter?: LineFilter): Promise<JobNews>
  /** True if everything has been read. */
  readonly isAtEnd: boolean
}

export interface JobNews {
  readonly text: string
  /** Number of new bytes (or matching bytes) that are not in `text`. */
  readonly omitted: number
}

const CHUNK_BYTES = 256 * 1024

export function createJobReader(log: JobLog): JobReader {
  let position = 0
  let last: Promise<unknown> = Promise.resolve()

  async function readEnd(): Promise<JobNews> {
    const end = log.size
    const from = Math.max(position, end - MAX_BYTES - 4)
    const bytes = await rangeOf(log, from, end)
    const whole = from === position ? bytes : bytes.subarray(characterStart(bytes))
    const text = lastLines(whole.toString("utf8"))
    const omitted = end - position - Buffer.byteLength(text)
    position = end
    return { text, omitted }
  }

  async function readMatching(filter: LineFilter): Promise<JobNews> {
    const end = log.size
    const found = createOutputTail()
    let length = 0
    let rest: Buffer = Buffer.alloc(0)
    while (position < end) {
      const { start, bytes } = await log.read(position, Math.min(CHUNK_BYTES, end - position))
      position = start + bytes.length
      const all = start === position - bytes.length ? Buffer.concat([rest, bytes]) : bytes
      const lineEnd = position >= end ? all.length : all.lastIndexOf(0x0a) + 1
      rest = lineEnd === 0 && all.length > CHUNK_BYTES ? Buffer.alloc(0) : all.subarray(lineEnd)
      const lines = all.toString("utf8", 0, lineEnd).split("\n")
      if (lines.at(-1) === "") lines.pop()
      const text = filter(lines)
        .map((line) => `${line}\n`)
        .join("")
      length += Buffer.byteLength(text)
      found.add(text)
      if (bytes.length === 0) break
    }
    const text = lastLines(found.last(Number.MAX_SAFE_INTEGER))
    return { text, omitted: length - Buffer.byteLength(text) }
  }

  return {
    read(filter) {
      const reading = last.then(() => (filter ? readMatching(filter) : readEnd()))
      last = reading.catch(() => undefined)
      return reading
    },
    get isAtEnd() {
      return position >= log.size
    },
  }
}

async function rangeOf(log: JobLog, from: number, to: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  for (let at = from; at < to;) {
    const { start, bytes } = await log.read(at, to - at)
    if (bytes.length === 0) break
    pieces.push(bytes)
    at = start + bytes.length
  }
  return Buffer.concat(pieces)
}

/** Returns the start of the first whole character. */
function characterStart(bytes: Buffer): number {
  let start = 0
  while (start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++
  return start
}
