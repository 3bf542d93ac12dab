import { EmptySessionError, UnsuitableAgentError } from "@pawl/core"

/** The invalid part of a request. */
export type RequestPart = "Params" | "Headers" | "Query" | "Body"

/** An invalid request. The message says what to change. */
export class RequestError extends Error {
  override readonly name = "BadRequest"
  readonly kind: RequestPart
  constructor(kind: RequestPart, message: string) {
    super(message)
    this.kind = kind
  }
}

/** Returns true for errors about a request that its client has to change. */
export function isInvalidRequest(error: unknown): boolean {
  return (
    error instanceof RequestError ||
    error instanceof TypeError ||
    error instanceof RangeError ||
    error instanceof UnsuitableAgentError ||
    error instanceof EmptySessionError
  )
}

/** A session was not compacted. The message says why. */
export class NotCompactedError extends Error {}

type TaggedStatus = 400 | 404 | 409 | 413 | 500 | 503

interface TaggedErrorFields {
  readonly message: string
  readonly sessionID?: string
  readonly requestID?: string
  readonly messageID?: string
  readonly kind?: RequestPart
}

/** An error in the form of OpenCode's newer interface, whose types have a name for each. */
export class TaggedError extends Error {
  readonly status: TaggedStatus
  override readonly name: string
  readonly fields: TaggedErrorFields
  constructor(status: TaggedStatus, name: string, fields: TaggedErrorFields) {
    super(fields.message)
    this.status = status
    this.name = name
    this.fields = fields
  }
}

interface SignInErrorFields {
  readonly providerID: string
  readonly message: string
  /** Key of the invalid input. */
  readonly field?: string
}

/** A sign-in that could not begin or end. `name` is that of OpenCode's error, if it has one. */
export class SignInError extends Error {
  readonly status: 400 | 409
  override readonly name: string
  readonly fields: SignInErrorFields
  constructor(status: 400 | 409, name: string, fields: SignInErrorFields) {
    super(fields.message)
    this.status = status
    this.name = name
    this.fields = fields
  }
}

/** The body of a request is longer than the server reads. */
export class TooLargeError extends Error {
  constructor(maxBytes: number) {
    super(`The body is too large: at most ${maxBytes} bytes are read.`)
  }
}

/** The rules or the credentials do not allow the request. The message says what to change. */
export class ForbiddenError extends Error {
  override readonly name = "Forbidden"
}
