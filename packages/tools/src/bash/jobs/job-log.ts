import { open } from "node:fs/promises"
import { createOutputFile } from "../../output/output-file.ts"

/**
 * A job's output as a file: the first 46 MiB, then a ring buffer with the last 4 MiB. Offsets count bytes of the
 * output.
 */
export interface JobLog {
  readonly path: string
  /** Number of bytes written so far. */
  readonly size: number
  /** Why later output is lost; undefined if nothing is lost. */
  readonly failure: string | undefined
  /** Writes run one after another. Never rejects. */
  write(text: string): Promise<void>
  /** Reads at most `length` bytes at `from`, or at the first later byte that is still kept. */
  read(from: number, length: number): Promise<LogPiece>
  close(): Promise<void>
}

export interface LogPiece {
  readonly start: number
  readonly bytes: Buffer
}

export interface LogLimits {
  readonly head: number
  readonly ring: number
}

const DEFAULT_LIMITS: LogLimits = { head: 46 * 2 ** 20, ring: 4 * 2 ** 20 }

/** Creates a file in `directory` that only its owner can read. */
export async function createJobLog(
  directory: string,
  jobID: string,
  limits: LogLimits = DEFAULT_LIMITS,
): Promise<JobLog> {
  const { path, handle } = await createOutputFile(directory, jobID)
  let size = 0
  let failure: string | undefined
  let last: Promise<void> = Promise.resolve()

  async function append(bytes: Buffer): Promise<void> {
    try {
      for (let at = 0; at < bytes.length;) {
        const { position, room } = positionOf(size + at, limits)
        const { bytesWritten } = await handle.write(bytes, at, Math.min(bytes.length - at, room), position)
        at += bytesWritten
      }
      size += bytes.length
    } catch (error) {
      failure ??= error instanceof Error ? error.message : String(error)
    }
  }

  return {
    path,
    get size() {
      return size
    },
    get failure() {
      return failure
    },
    write(text) {
      last = last.then(() => (failure === undefined ? append(Buffer.from(text)) : undefined))
      return last
    },
    async read(from, length) {
      const start = from < limits.head ? from : Math.max(from, size - limits.ring)
      const { position, room } = positionOf(start, limits)
      const buffer = Buffer.alloc(Math.max(0, Math.min(length, room, size - start)))
      const reader = await open(path)
      try {
        const { bytesRead } = await reader.read(buffer, 0, buffer.length, position)
        return { start, bytes: buffer.subarray(0, bytesRead) }
      } finally {
        await reader.close()
      }
    },
    async close() {
      await last
      await handle.close()
    },
  }
}

/** Returns the file position of an output offset, and the number of bytes until the ring buffer wraps. */
function positionOf(offset: number, { head, ring }: LogLimits): { readonly position: number; readonly room: number } {
  if (offset < head) return { position: offset, room: head - offset }
  const turn = (offset - head) % ring
  return { position: head + turn, room: ring - turn }
}
