import type { IncomingHttpHeaders } from "node:http"
import type { Answer } from "../script/answer.ts"
import type { FinishReason, Usage } from "../script/finish.ts"
import type { ErrorReply } from "../script/http-error.ts"

/**
 * How one vendor's API spells requests, answers and errors. A script never sees it, and it never sees a socket:
 * everything here maps values to values.
 */
export interface WireFormat {
  /** Path of the endpoint below the server's `url`. */
  readonly path: string
  /** The key the client sent, `undefined` without one. */
  apiKey(headers: IncomingHttpHeaders): string | undefined
  /** Reads what the server needs from a body that is a JSON object. */
  readRequest(body: object): WireRequest
  /** What the real server would refuse in this body, in one sentence; `undefined` when it is fine. */
  validate(body: unknown): string | undefined
  readonly streamHeaders: Readonly<Record<string, string>>
  /** The encoder of one streamed answer: events in, text to send out. */
  openStream(opening: AnswerOpening): (event: AnswerEvent) => string
  /** The body of an answer that is not streamed, as JSON text. */
  toBody(opening: AnswerOpening, answer: Answer): string
  toErrorBody(error: Pick<ErrorReply, "kind" | "message" | "code">): object
}

interface WireRequest {
  readonly model: string | undefined
  readonly stream: boolean
}

/** What is known when an answer begins. */
export interface AnswerOpening {
  /** Counts the answers of this server from 1. */
  readonly number: number
  readonly model: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  /** The body of the request. */
  readonly request: object
}

/** A piece of a streamed answer. `start` comes first; `finish` or `error` comes last or never. */
export type AnswerEvent =
  | { type: "start" }
  | { type: "text"; delta: string }
  | { type: "reasoning"; delta: string }
  | { type: "tool-call"; index: number; id: string; name: string }
  | { type: "tool-arguments"; index: number; delta: string }
  | { type: "bad-json" }
  | { type: "error"; message: string; code: string | undefined }
  | { type: "finish"; reason: FinishReason; usage: Required<Usage> }
