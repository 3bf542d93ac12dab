import { rm } from "node:fs/promises"
import { createOutputFile } from "./output-file.ts"

/** Writes an output to disk: all of it up to 50 MiB; of a longer one, about the first 46 MiB and the last 4 MiB. */
export interface OutputSpool {
  readonly path: string
  write(text: string): Promise<void>
  finish(): Promise<void>
  discard(): Promise<void>
}

export interface SpoolLimits {
  /** Bytes at the start of the output, written as they arrive. */
  readonly head: number
  /** Bytes at the end of the output, held in memory until the output ends. */
  readonly tail: number
}

const DEFAULT_LIMITS: SpoolLimits = { head: 46 * 2 ** 20, tail: 4 * 2 ** 20 }

export async function createOutputSpool(
  directory: string,
  callID: string,
  limits: SpoolLimits = DEFAULT_LIMITS,
): Promise<OutputSpool> {
  const { path, handle } = await createOutputFile(directory, callID)
  const tail: { readonly text: string; readonly bytes: number }[] = []
  let headBytes = 0
  let tailBytes = 0
  let dropped = 0

  return {
    path,
    async write(text) {
      const bytes = Buffer.byteLength(text)
      if (tail.length === 0 && headBytes + bytes <= limits.head) {
        headBytes += bytes
        await handle.appendFile(text)
        return
      }
      tail.push({ text, bytes })
      tailBytes += bytes
      while (tail[0] && tailBytes - tail[0].bytes >= limits.tail) {
        tailBytes -= tail[0].bytes
        dropped += tail[0].bytes
        tail.shift()
      }
    },
    async finish() {
      if (dropped > 0) await handle.appendFile(`\n\n... ${dropped} bytes dropped ...\n\n`)
      await handle.appendFile(tail.map((piece) => piece.text).join(""))
      await handle.close()
    },
    async discard() {
      // The handle is already closed if a step after `finish` failed.
      await handle.close().catch(() => undefined)
      await rm(path, { force: true })
    },
  }
}
