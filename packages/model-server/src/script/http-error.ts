import { validateHeaderName, validateHeaderValue } from "node:http"

/** What went wrong, in words that each wire format translates to its own types and codes. */
export type ErrorKind =
  | "invalid-request"
  | "unauthorized"
  | "unknown-model"
  | "unknown-path"
  | "too-large"
  | "rate-limit"
  | "context-overflow"
  | "server"

/** A reply with an error status. The body is the wire format's own error shape unless `body` replaces it. */
export interface ErrorReply {
  readonly type: "http-error"
  readonly status: number
  readonly kind: ErrorKind
  readonly message: string
  /** Replaces the code that the wire format has for `kind`. */
  readonly code: string | undefined
  readonly headers: Readonly<Record<string, string>>
  /** A string is sent as it is, anything else as JSON. */
  readonly body: unknown
}

export interface HttpErrorOptions {
  kind?: ErrorKind
  message?: string
  code?: string
  headers?: Record<string, string>
  body?: unknown
}

/** An HTTP error, `status` from 400 to 599. Throws for headers that HTTP cannot carry. */
export function httpError(status: number, options: HttpErrorOptions = {}): ErrorReply {
  if (!Number.isInteger(status) || status < 400 || status > 599) {
    throw new RangeError(`httpError() needs a status from 400 to 599, got ${status}.`)
  }
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    validateHeaderName(name)
    validateHeaderValue(name, value)
  }
  return {
    type: "http-error",
    status,
    kind: options.kind ?? kindOf(status),
    message: options.message ?? `The script answers with status ${status}.`,
    code: options.code,
    headers: options.headers ?? {},
    body: options.body,
  }
}

/** 429, with a `retry-after` header in seconds when given. */
export function rateLimit(options: { retryAfter?: number; message?: string } = {}): ErrorReply {
  const { retryAfter, message = "Too many requests. Slow down and try again." } = options
  if (retryAfter !== undefined && !(retryAfter >= 0 && Number.isFinite(retryAfter))) {
    throw new RangeError(`rateLimit() with "retryAfter" needs 0 or more seconds, got ${retryAfter}.`)
  }
  return httpError(429, { message, headers: retryAfter === undefined ? {} : { "retry-after": String(retryAfter) } })
}

/** 401: the key is wrong or missing. */
export function unauthorized(options: { message?: string } = {}): ErrorReply {
  return httpError(401, { message: options.message ?? "The API key is missing or wrong." })
}

/** 400: the request does not fit into the model's context window. */
export function contextOverflow(options: { message?: string } = {}): ErrorReply {
  const { message = "The request is longer than the maximum context length of the model." } = options
  return httpError(400, { kind: "context-overflow", message })
}

function kindOf(status: number): ErrorKind {
  if (status === 401) return "unauthorized"
  if (status === 413) return "too-large"
  if (status === 429) return "rate-limit"
  return status >= 500 ? "server" : "invalid-request"
}
