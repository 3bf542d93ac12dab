/** Which part of a request does not fit. */
export type RequestPart = "Params" | "Headers" | "Query" | "Body"

/** A request that cannot be answered as it is; the message says what to change. */
export class RequestError extends Error {
  override readonly name = "BadRequest"
  readonly kind: RequestPart
  constructor(kind: RequestPart, message: string) {
    super(message)
    this.kind = kind
  }
}
