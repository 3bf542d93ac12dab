import type { IncomingMessage } from "node:http"
import { pipeline } from "node:stream/promises"
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib"
import type { Transform } from "node:stream"

/** The compressed or the decompressed body exceeds the limit. */
export class BodyTooLargeError extends Error {
  override readonly name = "BodyTooLargeError"
}

/** Value of the Accept-Encoding header. */
export const ENCODINGS = "gzip, br"

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/**
 * Reads and decompresses the body. Throws BodyTooLargeError if the sent or the decompressed body has more than `limit`
 * bytes.
 */
export async function readBody(response: IncomingMessage, limit: number): Promise<Buffer> {
  try {
    if (Number(response.headers["content-length"]) > limit) throw new BodyTooLargeError()
    const decoder = decoderOf(response.headers["content-encoding"])
    const chunks: Buffer[] = []
    const keep = async (source: AsyncIterable<Buffer>) => {
      for await (const chunk of atMost(source, limit)) chunks.push(chunk)
    }
    if (decoder) await pipeline(response, (source) => atMost(source, limit), decoder, keep)
    else await pipeline(response, keep)
    return Buffer.concat(chunks)
  } finally {
    response.destroy()
  }
}

function decoderOf(encoding = ""): Transform | undefined {
  const name = encoding.trim().toLowerCase()
  if (name === "" || name === "identity") return undefined
  const create = Object.hasOwn(decoders, name) ? decoders[name] : undefined
  if (!create) throw new Error(`the body is packed as ${JSON.stringify(name)}, which was not offered`)
  return create()
}

async function* atMost(source: AsyncIterable<Buffer>, limit: number): AsyncGenerator<Buffer> {
  let length = 0
  for await (const chunk of source) {
    length += chunk.length
    if (length > limit) throw new BodyTooLargeError()
    yield chunk
  }
}
