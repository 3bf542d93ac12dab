import { validateHeaderName, validateHeaderValue } from "node:http"
import { kindOf, type ErrorKind } from "./error-kind.ts"

/** A reply with an error status. The body is the wire format's own error shape unless `body` replaces it. */
export interface ErrorReply {
  readonly type: "http-error"
  /** `undefined` is the vendor's own status for the kind. */
  readonly status: number | undefined
  readonly kind: ErrorKind
  /** `undefined` is the vendor's own sentence for the kind. */
  readonly message: string | undefined
  /** Replaces the code that the wire format has for `kind`. */
  readonly code: string | undefined
  /** Seconds to wait before the next try, which each vendor tells in its own place. */
  readonly retryAfter: number | undefined
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
    retryAfter: undefined,
    headers: options.headers ?? {},
    body: options.body,
  }
}

/** Too many requests: 429, with the seconds to wait when given. */
export function rateLimit(options: { retryAfter?: number; message?: string } = {}): ErrorReply {
  const { retryAfter, message } = options
  if (retryAfter !== undefined && !(retryAfter >= 0 && Number.isFinite(retryAfter))) {
    throw new RangeError(`rateLimit() with "retryAfter" needs 0 or more seconds, got ${retryAfter}.`)
  }
  return failure("rate-limit", message, retryAfter)
}

/** The key is wrong or missing: mostly 401. */
export function unauthorized(options: { message?: string } = {}): ErrorReply {
  return failure("unauthorized", options.message)
}

/** The request does not fit into the model's context window: 400. */
export function contextOverflow(options: { message?: string } = {}): ErrorReply {
  return failure("context-overflow", options.message)
}

/** The vendor has no capacity left: 503 or 529. */
export function overloaded(options: { message?: string } = {}): ErrorReply {
  return failure("overloaded", options.message)
}

/** The account's money or quota is used up, so that waiting does not help: 400 or 429. */
export function quotaExhausted(options: { message?: string } = {}): ErrorReply {
  return failure("quota", options.message)
}

function failure(kind: ErrorKind, message: string | undefined, retryAfter?: number): ErrorReply {
  const open = { status: undefined, code: undefined, body: undefined, headers: {} }
  return { type: "http-error", kind, message, retryAfter, ...open }
}
