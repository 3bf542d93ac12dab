import type { IncomingHttpHeaders } from "node:http"
import type { Answer } from "../script/answer.ts"
import type { ErrorKind } from "../script/error-kind.ts"
import type { FinishReason, Usage } from "../script/finish.ts"

/**
 * How one vendor's API spells requests, answers and errors. A script never sees it, and it never sees a socket:
 * everything here maps values to values.
 */
export interface WireFormat {
  /** Paths of the endpoint. One may hold `{model}`, which stands for the name of a model. */
  readonly paths: readonly string[]
  /** The key the client sent, `undefined` without one. */
  apiKey(request: WireHead): string | undefined
  /** Reads what the server needs from a request whose body is a JSON object. */
  readRequest(request: WireRequest): WireAsk
  /** Returns why the real server would refuse this request, as a sentence; undefined for a valid request. */
  validate(request: WireRequest): string | undefined
  readonly streamHeaders: Readonly<Record<string, string>>
  /**
   * True if the frame of a later text delta depends on its text alone, so that a long run of them can be encoded once.
   */
  readonly repeatsFrames: boolean
  /** Keeps an idle connection alive. Clients ignore it. */
  readonly keepAlive: string
  /** The encoder of one streamed answer: events in, text to send out. */
  openStream(opening: AnswerOpening): (event: AnswerEvent) => string
  /** The body of an answer that is not streamed, as JSON text. */
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
  /** Counts the answers of this server from 1. */
  readonly number: number
  readonly model: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  /** The body of the request. */
  readonly request: Readonly<Record<string, unknown>>
  readonly usage: Required<Usage>
}

/** A piece of a streamed answer. `start` comes first; `finish` or `error` comes last or never. */
export type AnswerEvent =
  | { type: "start" }
  | { type: "text"; delta: string }
  | { type: "reasoning"; delta: string; signature: string | undefined }
  /** `input` is the whole of the arguments, for APIs that do not send them in pieces. */
  | { type: "tool-call"; index: number; id: string; name: string; input: string }
  | { type: "tool-arguments"; index: number; delta: string }
  | { type: "bad-json" }
  | { type: "error"; error: WireError }
  | { type: "finish"; reason: FinishReason; usage: Required<Usage> }

/** A failure in the words of one API. `headers` are those that tell what `body` does not. */
export interface SpelledError {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
}

/** A failure to spell out. What is `undefined` is the vendor's own for the kind. */
export interface WireError {
  readonly kind: ErrorKind
  readonly status: number | undefined
  readonly message: string | undefined
  readonly code: string | undefined
  /** Seconds to wait, when the answer tells them. */
  readonly retryAfter: number | undefined
}
