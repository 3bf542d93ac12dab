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

/** What is kept of a command's output while it runs: its end in memory, the whole on disk once it is long. */
export interface CommandOutput {
  /** Undefined when more may come at once; otherwise the writer should wait. Never rejects. */
  accept(bytes: Buffer): Promise<void> | undefined
  /** The last 30,000 characters so far. */
  preview(): string
  /** Call once, after the last byte. */
  finish(): Promise<FinishedOutput>
}

export interface FinishedOutput {
  /** For the model: everything, or the last lines. */
  readonly text: string
  readonly preview: string
  /** The last 1 MiB of the output, or as much of it as is left. */
  readonly ending: string
  /** What was left out and where it is; absent when `text` is everything. */
  readonly omitted: { readonly lines: number; readonly bytes: number; readonly hint: string } | undefined
  /** The full output's blob. */
  readonly blob: string | undefined
}

export interface CommandOutputOptions {
  readonly callID: string
  readonly blobs: BlobStore
  /** Where a long output stays as a file for the model; absent, it becomes a blob only. */
  readonly directory: string | undefined
  /** Whether the model that reads of it may hand work to a subagent; absent: no. */
  readonly canDelegate?: boolean | undefined
}

const PREVIEW_LENGTH = 30_000
const ENDING_BYTES = 2 ** 20
// A command writes in small pieces: so much is taken to disk at once, and no more waits in memory.
const MAX_WAITING = 2 ** 20

export function createCommandOutput(options: CommandOutputOptions): CommandOutput {
  const { callID, blobs, directory, canDelegate } = options
  const terminal = createTerminalText()
  const tail = createOutputTail()
  let bytes = 0
  let newlines = 0
  let place: string | undefined
  let spool: OutputSpool | undefined
  let failure: string | undefined
  // What is not on its way to disk yet: everything, as long as it is short.
  let waiting = ""
  let writing: Promise<void> | undefined

  const isLong = () => bytes > MAX_BYTES || newlines > MAX_LINES

  async function writeWaiting(): Promise<void> {
    try {
      place ??= directory ?? (await mkdtemp(join(tmpdir(), "pawl-")))
      spool ??= await createOutputSpool(place, callID)
      while (waiting !== "") {
        const text = waiting
        waiting = ""
        await spool.write(text)
      }
    } catch (error) {
      // A full disk must not end the command: its last lines are in memory.
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

  /** The finished spool as blob and hint, and its end. */
  async function kept(): Promise<{ hint: string; blob?: string; ending?: string }> {
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
      if (directory === undefined && place !== undefined) await rm(place, { recursive: true, force: true })
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
      const { hint, blob, ending = all } = await kept()
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

/** In one piece of memory: `readFile` would need twice the size. */
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
