import type { IncomingHttpHeaders } from "node:http"

/** A received HTTP request. Times are `performance.now()` of the server's process. */
export interface RecordedRequest {
  readonly method: string
  /** The request target as sent, with its query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The exact bytes of the body; empty when it was over the limit. */
  readonly raw: Buffer
  /** The parsed body, `undefined` when it is not JSON. */
  readonly body: unknown
  /** When the head of the request was in. */
  readonly firstByteAt: number
  /** When the last byte of the body was in. */
  readonly receivedAt: number
  /** Status of the answer; `undefined` until one is sent, and for good when the script cuts before it. */
  status: number | undefined
  /** True if the client left before its request or the answer was complete. */
  aborted: boolean
}

/** Parses a body, `undefined` when it is not JSON. */
export function parseBody(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString())
  } catch {
    return undefined
  }
}
