import { isUtf8 } from "node:buffer"
import { ProviderError } from "@pawl/core/provider"
import { type ErrorSource, serverName } from "@pawl/provider-ai-sdk"
import { createUsageCheck } from "./usage-check.ts"

type Bytes = Uint8Array<ArrayBuffer>

/** Milliseconds that an answer has to end after its last event, so that its connection can be reused. */
const END_GRACE_MS = 250

/** Limits an event, which a reader has to hold completely in memory. */
const MAX_EVENT_BYTES = 32 * 1024 * 1024

/**
 * The body of an event stream, up to its last event: the reader need not wait if a server or a proxy leaves the
 * connection open afterwards. Fails with ProviderError "incomplete-stream" at invalid UTF-8, because decoding would
 * change the model's text and the arguments of its calls, and at an event of more than 32 MiB. Makes token counts
 * readable, see `createUsageCheck`. `onBytes` is called for each chunk, whatever it contains.
 */
export function answerBody(
  body: ReadableStream<Uint8Array>,
  source: ErrorSource = {},
  onBytes?: () => void,
): ReadableStream<Bytes> {
  const reader = body.getReader() as ReadableStreamDefaultReader<Bytes>
  const isText = createTextCheck()
  const eventSize = createEventSize()
  const isLast = createEndSearch()
  const usage = createUsageCheck()
  function brokenOff(holds: string): ProviderError {
    void reader.cancel().catch(ignore)
    const message = `${serverName(source)} broke off: the answer holds ${holds}.`
    return new ProviderError("incomplete-stream", message, { providerID: source.providerID })
  }
  return new ReadableStream<Bytes>(
    {
      async pull(controller) {
        let lines: Bytes
        do {
          const { done, value } = await reader.read()
          if (done) {
            const rest = usage.rest()
            if (rest.length > 0) controller.enqueue(rest)
            return controller.close()
          }
          onBytes?.()
          if (!isText(value)) throw brokenOff("bytes that are not UTF-8")
          if (eventSize(value) > MAX_EVENT_BYTES) throw brokenOff("an event of more than 32 MiB")
          lines = usage.take(value)
          if (lines.length > 0) controller.enqueue(lines)
          if (!isLast(value)) continue
          await drain(reader).catch(ignore)
          return controller.close()
        } while (lines.length === 0)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

/** Returns the bytes so far of the current event. A blank line ends an event and may be split between chunks. */
function createEventSize(): (chunk: Uint8Array) => number {
  let before = Buffer.alloc(0)
  let size = 0
  return (chunk) => {
    const bytes = Buffer.concat([before, chunk])
    const end = Math.max(...EVENT_ENDS.map((mark) => bytes.lastIndexOf(mark)))
    size = end < 0 ? size + chunk.length : bytes.length - end
    before = bytes.subarray(-2)
    return size
  }
}

const EVENT_ENDS = ["\n\n", "\n\r\n", "\r\r"]

/** Returns true while the bytes are UTF-8. A character may be split between chunks. */
function createTextCheck(): (chunk: Uint8Array) => boolean {
  let begun: Uint8Array = new Uint8Array()
  return (chunk) => {
    const bytes = begun.length === 0 ? chunk : Buffer.concat([begun, chunk])
    const end = bytes.length - unfinished(bytes)
    begun = bytes.slice(end)
    return isUtf8(bytes.subarray(0, end))
  }
}

/** Returns the number of bytes at the end that begin an incomplete character. */
function unfinished(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0
  }
  return 0
}

/** Beginnings of lines. Text of a model cannot match them, since JSON escapes line breaks. */
const LAST_EVENTS = ["data: [DONE]", "data:[DONE]", "event: response.completed", "event: response.incomplete"]
const BLANK_LINES = ["\n\n", "\r\n\r\n"]
const MAX_MARK_LENGTH = Math.max(...LAST_EVENTS.map((mark) => mark.length)) + 1

/** Returns true once the last event has arrived, including its blank line. */
function createEndSearch(): (chunk: Uint8Array) => boolean {
  let before = Buffer.from("\n")
  let isEnding = false
  return (chunk) => {
    let bytes = Buffer.concat([before, chunk])
    const at = isEnding ? 0 : LAST_EVENTS.map((mark) => bytes.indexOf(`\n${mark}`)).find((index) => index >= 0)
    if (!isEnding && at !== undefined) bytes = bytes.subarray(at + 1)
    isEnding = at !== undefined
    before = bytes.subarray(Math.max(0, bytes.length - MAX_MARK_LENGTH))
    return isEnding && hasBlankLine(bytes)
  }
}

function hasBlankLine(bytes: Buffer): boolean {
  return BLANK_LINES.some((line) => bytes.includes(line))
}

async function drain(reader: ReadableStreamDefaultReader<Bytes>): Promise<void> {
  const timer = setTimeout(() => void reader.cancel().catch(ignore), END_GRACE_MS)
  try {
    while (!(await reader.read()).done);
  } finally {
    clearTimeout(timer)
  }
}

function ignore(): void {}
