import { mkdtemp, open, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { BlobStore } from "@pawl/core/storage"
import { lastCharacters } from "../characters.ts"
import { countNewlines } from "../file/count-newlines.ts"
import { MAX_BYTES, MAX_LINES } from "../limits.ts"
import { NO_FILE_HINT, outputHint } from "../output/output-file.ts"
import { createOutputSpool, type OutputSpool } from "../output/output-spool.ts"
import { createOutputTail, lastLines } from "./output-tail.ts"
import { createTerminalText } from "./terminal-text.ts"

/** Collects a command's output: the end in memory, a long output on disk. */
export interface CommandOutput {
  /** Returns undefined if the writer may continue at once, otherwise a promise to wait for. Never rejects. */
  accept(bytes: Buffer): Promise<void> | undefined
  /** Returns the last 30,000 characters so far. */
  preview(): string
  /** Call once, after the last byte. */
  finish(): Promise<FinishedOutput>
}

export interface FinishedOutput {
  /** The output for the model: everything, or the last lines. */
  readonly text: string
  readonly preview: string
  /** At most the last 1 MiB of the output. */
  readonly ending: string
  /** Describes the part that is left out; undefined if `text` is the whole output. */
  readonly omitted: { readonly lines: number; readonly bytes: number; readonly hint: string } | undefined
  /** Blob of the full output. */
  readonly blob: string | undefined
}

export interface CommandOutputOptions {
  readonly callID: string
  readonly blobs: BlobStore
  /** Directory for the file of a long output. If missing, the output becomes a blob only. */
  readonly directory: string | undefined
  /** Set if the agent may start subagents. Default: false. */
  readonly canDelegate?: boolean | undefined
}

const PREVIEW_LENGTH = 30_000
const ENDING_BYTES = 2 ** 20
// Bytes that are collected in memory before a write, because commands write in small pieces.
const MAX_WAITING = 2 ** 20

export function createCommandOutput(options: CommandOutputOptions): CommandOutput {
  const { callID, blobs, directory, canDelegate } = options
  const terminal = createTerminalText()
  const tail = createOutputTail()
  let bytes = 0
  let newlines = 0
  let spoolDirectory: string | undefined
  let spool: OutputSpool | undefined
  let failure: string | undefined
  // Text that is not on its way to disk yet.
  let waiting = ""
  let writing: Promise<void> | undefined

  const isLong = () => bytes > MAX_BYTES || newlines > MAX_LINES

  async function writeWaiting(): Promise<void> {
    try {
      spoolDirectory ??= directory ?? (await mkdtemp(join(tmpdir(), "pawl-")))
      spool ??= await createOutputSpool(spoolDirectory, callID)
      while (waiting !== "") {
        const text = waiting
        waiting = ""
        await spool.write(text)
      }
    } catch (error) {
      // A full disk must not end the command. The last lines are still in memory.
      failure = error instanceof Error ? error.message : String(error)
      await spool?.discard().catch(() => undefined)
    }
  }

  function take(text: string): Promise<void> | undefined {
    tail.add(text)
    bytes += Buffer.byteLength(text)
    newlines += countNewlines(text)
    waiting = failure === undefined ? waiting + text : ""
    if (!isLong() || failure !== undefined) return undefined
    writing ??= writeWaiting().finally(() => {
      writing = undefined
    })
    return waiting.length > MAX_WAITING ? writing : undefined
  }

  /** Stores the finished spool as a blob and reads its end. */
  async function storeOutput(): Promise<{ hint: string; blob?: string; ending?: string }> {
    try {
      if (failure !== undefined || !spool) throw new Error(failure ?? "nothing was written")
      await spool.finish()
      const content = await contentOf(spool.path)
      const blob = await blobs.put(content)
      const hint = directory === undefined ? NO_FILE_HINT : outputHint(spool.path, { canDelegate })
      return { blob, hint, ending: content.toString("utf8", Math.max(0, content.length - ENDING_BYTES)) }
    } catch (error) {
      return { hint: `The full output could not be kept: ${(error as Error).message}` }
    } finally {
      if (directory === undefined && spoolDirectory !== undefined)
        await rm(spoolDirectory, { recursive: true, force: true })
    }
  }

  const preview = () => lastCharacters(tail.last(PREVIEW_LENGTH) + terminal.pending, PREVIEW_LENGTH)

  return {
    accept: (chunk) => take(terminal.feed(chunk)),
    preview,
    async finish() {
      void take(terminal.end())
      await writing
      const all = tail.last(Number.MAX_SAFE_INTEGER)
      if (!isLong()) return { text: all, preview: preview(), ending: all, omitted: undefined, blob: undefined }
      const { hint, blob, ending = all } = await storeOutput()
      const text = lastLines(all)
      const omitted = {
        lines: newlines - countNewlines(text),
        bytes: bytes - Buffer.byteLength(text),
        hint,
      }
      return { text, preview: preview(), ending, omitted, blob }
    },
  }
}

/** Reads into one buffer, because `readFile` would need twice the memory. */
async function contentOf(path: string): Promise<Buffer> {
  const handle = await open(path)
  try {
    const content = Buffer.allocUnsafeSlow((await handle.stat()).size)
    let length = 0
    while (length < content.length) {
      const { bytesRead } = await handle.read(content, length)
      if (bytesRead === 0) break
      length += bytesRead
    }
    return content.subarray(0, length)
  } finally {
    await handle.close()
  }
}
