import { open } from "node:fs/promises"
import { createOutputFile } from "../../output/output-file.ts"

/** A job's output as a file: its first 46 MiB, then the last 4 MiB in turn. Places are counted in bytes from the start. */
export interface JobLog {
  readonly path: string
  /** How much has been written in all. */
  readonly size: number
  /** Why what came later is not kept; undefined as long as all was. */
  readonly failure: string | undefined
  /** One after another. Never rejects. */
  write(text: string): Promise<void>
  /** At most `length` bytes from `from` on, or from the first place after it that is still kept. */
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

/** A new file in `directory`, for its owner alone. */
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
        const { position, room } = placeOf(size + at, limits)
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
      const { position, room } = placeOf(start, limits)
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

/** Where a byte stands in the file, and how many follow it there before the turn. */
function placeOf(place: number, { head, ring }: LogLimits): { readonly position: number; readonly room: number } {
  if (place < head) return { position: place, room: head - place }
  const turn = (place - head) % ring
  return { position: head + turn, room: ring - turn }
}
