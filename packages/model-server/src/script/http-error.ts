import { validateHeaderName, validateHeaderValue } from "node:http"
import { kindOf, type ErrorKind } from "./error-kind.ts"

/** A reply with an error status. The body has the error format of the API, unless `body` replaces it. */
export interface ErrorReply {
  readonly type: "http-error"
  /** Default: the vendor's status for the kind. */
  readonly status: number | undefined
  readonly kind: ErrorKind
  /** Default: the vendor's message for the kind. */
  readonly message: string | undefined
  /** Replaces the wire format's code for `kind`. */
  readonly code: string | undefined
  /** Seconds to wait before the next attempt. Each vendor sends them in its own field or header. */
  readonly retryAfter: number | undefined
  readonly headers: Readonly<Record<string, string>>
  /** A string is sent unchanged; any other value is sent as JSON. */
  readonly body: unknown
}

export interface HttpErrorOptions {
  kind?: ErrorKind
  message?: string
  code?: string
  headers?: Record<string, string>
  body?: unknown
}

/** Returns an HTTP error with a `status` from 400 to 599. Throws if a header is invalid in HTTP. */
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
    retryAfter: undefined,
    headers: options.headers ?? {},
    body: options.body,
  }
}

/** Too many requests: 429, optionally with the seconds to wait. */
export function rateLimit(options: { retryAfter?: number; message?: string } = {}): ErrorReply {
  const { retryAfter, message } = options
  if (retryAfter !== undefined && !(retryAfter >= 0 && Number.isFinite(retryAfter))) {
    throw new RangeError(`rateLimit() with "retryAfter" needs 0 or more seconds, got ${retryAfter}.`)
  }
  return failure("rate-limit", message, retryAfter)
}

/** Wrong or missing key: usually 401. */
export function unauthorized(options: { message?: string } = {}): ErrorReply {
  return failure("unauthorized", options.message)
}

/** The request exceeds the model's context window: 400. */
export function contextOverflow(options: { message?: string } = {}): ErrorReply {
  return failure("context-overflow", options.message)
}

/** The vendor has no capacity: 503 or 529. */
export function overloaded(options: { message?: string } = {}): ErrorReply {
  return failure("overloaded", options.message)
}

/** The account has no money or quota left, so retrying does not help: 400 or 429. */
export function quotaExhausted(options: { message?: string } = {}): ErrorReply {
  return failure("quota", options.message)
}

function failure(kind: ErrorKind, message: string | undefined, retryAfter?: number): ErrorReply {
  const open = { status: undefined, code: undefined, body: undefined, headers: {} }
  return { type: "http-error", kind, message, retryAfter, ...open }
}
