import type { IncomingMessage } from "node:http"

export interface ReadBody {
  /** Empty if `tooLarge`. */
  readonly raw: Buffer
  readonly tooLarge: boolean
  /** True if the client disconnected before the body was complete. Then `raw` has the received part. */
  readonly aborted: boolean
}

/** Reads a whole body. Discards what exceeds `limit` bytes, so that the client reads the answer. */
export async function readBody(request: IncomingMessage, limit: number): Promise<ReadBody> {
  let chunks: Buffer[] = []
  let size = 0
  let aborted = false
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size <= limit) chunks.push(chunk)
      else chunks = []
    }
  } catch {
    // An incoming message has no other error than a connection that closed too early.
    aborted = true
  }
  return { raw: Buffer.concat(chunks), tooLarge: size > limit, aborted }
}
