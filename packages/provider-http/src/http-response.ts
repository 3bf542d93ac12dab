import type { IncomingMessage } from "node:http"
import type { Readable } from "node:stream"

/**
 * The part of a Response that readers of an answer use: the real class would load undici, which costs more than the
 * whole request. The body is decoded. It fails with TypeError "terminated", or with the signal's reason.
 */
export function toResponse(message: IncomingMessage, url: URL, signal?: AbortSignal): Response {
  const status = message.statusCode ?? 0
  const entries = Object.entries(message.headers).map(([name, value]): [string, string] => [name, String(value)])
  const headers = {
    get: (name: string) => entries.find(([each]) => each === name.toLowerCase())?.[1] ?? null,
    has: (name: string) => entries.some(([each]) => each === name.toLowerCase()),
    entries: () => entries.values(),
    [Symbol.iterator]: () => entries.values(),
  }
  const head = {
    status,
    headers: headers as unknown as Headers,
    url: url.href,
    statusText: message.statusMessage ?? "",
  }
  return responseOf(head, toStream(decoded(message), signal))
}

export function responseOf(
  { status, headers, url, statusText }: Pick<Response, "status" | "headers" | "url" | "statusText">,
  body: ReadableStream<Uint8Array>,
): Response {
  const text = async () => {
    const decoder = new TextDecoder()
    let whole = ""
    for await (const chunk of body) whole += decoder.decode(chunk, { stream: true })
    return whole + decoder.decode()
  }
  const response = {
    ...{ status, headers, body, text, url, statusText, redirected: false, type: "basic", bodyUsed: false },
    ok: status >= 200 && status < 300,
    json: async () => JSON.parse(await text()) as unknown,
  }
  return response as unknown as Response
}

/** Some proxies compress without being asked to. */
function decoded(message: IncomingMessage): Readable {
  const encoding = message.headers["content-encoding"]?.trim().toLowerCase()
  if (encoding === undefined || encoding === "identity") return message
  const { constants, createBrotliDecompress, createGunzip, createInflate } = process.getBuiltinModule("node:zlib")
  // As in browsers, data is passed on at once, and a missing trailer is not an error.
  const flush = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH }
  const decoders: Readonly<Record<string, () => NodeJS.ReadWriteStream & Readable>> = {
    gzip: () => createGunzip(flush),
    "x-gzip": () => createGunzip(flush),
    deflate: () => createInflate(flush),
    br: () =>
      createBrotliDecompress({
        flush: constants.BROTLI_OPERATION_FLUSH,
        finishFlush: constants.BROTLI_OPERATION_FLUSH,
      }),
  }
  const decoder = decoders[encoding]?.()
  if (decoder === undefined) return message
  // A failure of either stream ends both, so the reader of the decoder gets the error.
  process.getBuiltinModule("node:stream").pipeline(message, decoder, () => {})
  return decoder
}

const HIGH_WATER_MARK = 256 * 1024

/**
 * Joins chunks that arrive together: servers send each event by itself, and each chunk costs its reader time. An abort
 * discards what has not been read, whether or not the answer was received whole.
 */
function toStream(source: Readable, signal?: AbortSignal): ReadableStream<Uint8Array> {
  let isOver = false
  let hasEnded = false
  let pieces: Uint8Array[] = []
  let stopListening = () => {}
  const finish = () => {
    isOver = true
    stopListening()
  }
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const handOn = () => {
          const [first, ...more] = pieces
          if (isOver || first === undefined) return
          controller.enqueue(more.length === 0 ? first : Buffer.concat(pieces))
          pieces = []
          if ((controller.desiredSize ?? 0) <= 0) source.pause()
        }
        const fail = (cause: unknown) => {
          handOn()
          if (isOver || hasEnded) return
          finish()
          controller.error(new TypeError("terminated", { cause }))
        }
        const abort = () => {
          finish()
          controller.error(signal?.reason)
          source.destroy()
        }
        source.on("data", (chunk: Uint8Array) => {
          if (!isOver && pieces.push(chunk) === 1) queueMicrotask(handOn)
        })
        source.once("end", () => {
          if (isOver) return
          handOn()
          hasEnded = true
          closeIfRead(controller)
        })
        source.once("error", fail)
        source.once("close", () => fail(new Error("The connection was closed before the answer ended.")))
        signal?.addEventListener("abort", abort, { once: true })
        stopListening = () => signal?.removeEventListener("abort", abort)
        if (signal?.aborted) abort()
      },
      pull(controller) {
        if (hasEnded) closeIfRead(controller)
        else source.resume()
      },
      cancel() {
        // Node still delivers what it has read.
        finish()
        source.destroy()
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: HIGH_WATER_MARK }),
  )

  // A closed stream no longer follows its signal, so it must not close while an abort can still discard data.
  function closeIfRead(controller: ReadableStreamDefaultController<Uint8Array>) {
    if (isOver || controller.desiredSize !== HIGH_WATER_MARK) return
    finish()
    controller.close()
  }
}
