import type { IncomingMessage } from "node:http"

export interface ReadBody {
  /** Empty when `tooLarge`. */
  readonly raw: Buffer
  readonly tooLarge: boolean
  /** The client left before the body was complete; `raw` is what came. */
  readonly aborted: boolean
}

/** Reads a body to its end. Over `limit` bytes the rest is read and dropped, so that the client gets to the answer. */
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
    // The only error of an incoming message is a connection that closed too early.
    aborted = true
  }
  return { raw: Buffer.concat(chunks), tooLarge: size > limit, aborted }
}
