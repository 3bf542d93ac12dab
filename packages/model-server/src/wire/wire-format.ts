import type { IncomingHttpHeaders } from "node:http"
import type { Answer } from "../script/answer.ts"
import type { ErrorKind } from "../script/error-kind.ts"
import type { FinishReason, Usage } from "../script/finish.ts"

/**
 * Encodes the requests, answers and errors of one vendor's API. Only maps values to values: it does not use sockets,
 * and scripts do not depend on it.
 */
export interface WireFormat {
  /** Paths of the endpoint. A path may contain `{model}` for the name of a model. */
  readonly paths: readonly string[]
  /** Returns the client's key; `undefined` if there is no key. */
  apiKey(request: WireHead): string | undefined
  /** Reads what the server needs from a request whose body is a JSON object. */
  readRequest(request: WireRequest): WireAsk
  /**
   * Returns the reason for which the real server would reject the request, as a sentence; undefined for a valid
   * request.
   */
  validate(request: WireRequest): string | undefined
  readonly streamHeaders: Readonly<Record<string, string>>
  /** True if the frame of a later text delta depends only on its text, so that many of them can be encoded once. */
  readonly repeatsFrames: boolean
  /** Keeps an idle connection alive. Clients ignore it. */
  readonly keepAlive: string
  /** Returns the encoder of one streamed answer, which returns the text to send for each event. */
  openStream(opening: AnswerOpening): (event: AnswerEvent) => string
  /** Returns the body of an answer that is not streamed, as JSON text. */
  toBody(opening: AnswerOpening, answer: Answer): string
  toError(error: WireError): SpelledError
}

/** A request without its body. */
export interface WireHead {
  readonly headers: IncomingHttpHeaders
  /** The request target with its query. */
  readonly target: string
}

export interface WireRequest extends WireHead {
  readonly body: Readonly<Record<string, unknown>>
}

/** The parsed fields of a request. */
export interface WireAsk {
  readonly model: string | undefined
  readonly stream: boolean
}

/** The facts known at the start of an answer. */
export interface AnswerOpening {
  /** The number of the answer, counted from 1. */
  readonly number: number
  readonly model: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  /** The body of the request. */
  readonly request: Readonly<Record<string, unknown>>
  readonly usage: Required<Usage>
}

/** A part of a streamed answer. `start` is first. `finish` or `error` is last, or missing if the answer is cut off. */
export type AnswerEvent =
  | { type: "start" }
  | { type: "text"; delta: string }
  | { type: "reasoning"; delta: string; signature: string | undefined }
  /** `input` has the complete arguments, for APIs that do not stream them. */
  | { type: "tool-call"; index: number; id: string; name: string; input: string }
  | { type: "tool-arguments"; index: number; delta: string }
  | { type: "bad-json" }
  | { type: "error"; error: WireError }
  | { type: "finish"; reason: FinishReason; usage: Required<Usage> }

/** An encoded error of one API. `headers` has only headers specific to the error. */
export interface SpelledError {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
}

/** An error to encode. The vendor's value for the kind replaces each `undefined`. */
export interface WireError {
  readonly kind: ErrorKind
  readonly status: number | undefined
  readonly message: string | undefined
  readonly code: string | undefined
  /** Seconds to wait. Undefined: the error does not contain them. */
  readonly retryAfter: number | undefined
}
