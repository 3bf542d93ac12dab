import type { IncomingHttpHeaders } from "node:http"

/** A received HTTP request. Times are values of `performance.now()` in the server's process. */
export interface RecordedRequest {
  readonly method: string
  /** The request target with its query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The exact bytes of the body. Empty if it exceeded the limit. */
  readonly raw: Buffer
  /** The parsed body; `undefined` if it is not JSON. */
  readonly body: unknown
  /** The time when the headers were received. */
  readonly firstByteAt: number
  /** The time when the last byte of the body was received. */
  readonly receivedAt: number
  /** The status of the answer. `undefined` before the answer, and if the script cuts the connection before it. */
  status: number | undefined
  /** True if the client disconnected before its request or the answer was complete. */
  aborted: boolean
}

/** Parses a body. Returns `undefined` if it is not JSON. */
export function parseBody(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString())
  } catch {
    return undefined
  }
}
