import type { ErrorKind } from "./error-kind.ts"
import type { FinishReason, Usage } from "./finish.ts"
import { checkCount, checkWait } from "./number.ts"

/** An event or a failure of an answer, in the order of the script and independent of the wire format. */
export type Step =
  | { type: "start" }
  | { type: "text"; chunks: readonly string[] }
  | { type: "reasoning"; chunks: readonly string[]; signature: string | undefined }
  | { type: "deltas"; texts: readonly string[]; count: number }
  | { type: "tool-call"; id: string | undefined; name: string; chunks: readonly string[] }
  | { type: "wait"; milliseconds: number }
  | { type: "pings"; every: number; times: number }
  | { type: "bad-json" }
  | LastStep

/** A step that ends the reply without a finish. */
export type LastStep =
  | { type: "stream-error"; message: string; code: string | undefined; kind: ErrorKind }
  | { type: "cut" }
  | { type: "end" }
  | { type: "stall" }

/** How the reply ends and what it cost. Holds for the whole reply, wherever it stands among the steps. */
export type Setting = { type: "finish"; reason: FinishReason } | { type: "usage"; usage: Usage }

/** Answer text: a string is one delta, an array is one delta for each element. */
export function text(chunks: string | readonly string[]): Step {
  return { type: "text", chunks: toChunks(chunks) }
}

/**
 * Reasoning text, split like `text`. The signature is what a wire format has to prove that the reasoning is the model's
 * own; by default it is a digest of the text. Reasoning steps in a row with the same signature, or with none, are one
 * block.
 */
export function reasoning(chunks: string | readonly string[], options: { signature?: string } = {}): Step {
  return { type: "reasoning", chunks: toChunks(chunks), signature: options.signature }
}

/** `count` text deltas, the texts in turn again and again, pre-encoded and written in large blocks: for load tests. */
export function deltas({ text, count }: { text: string | readonly string[]; count: number }): Step {
  checkCount(count, `deltas() with "count"`)
  const texts = typeof text === "string" ? [text] : text
  if (texts.length === 0) throw new Error("deltas() needs a text, got none.")
  return { type: "deltas", texts, count }
}

/**
 * A tool call. An object is sent as JSON in deltas of 16 characters. A string is sent as it is, so it may be broken
 * JSON; an array of strings is sent as it is with one delta for each. Without `id` the server numbers its calls
 * `call_1`, `call_2`, … over its whole life.
 */
export function call(
  name: string,
  input: object | string | readonly string[] = {},
  options: { id?: string } = {},
): Step {
  if (name === "") throw new Error("call() needs the name of a tool, got an empty one.")
  return { type: "tool-call", id: options.id, name, chunks: toArgumentChunks(input) }
}

/** Sends the status line and the opening of the reply now. Without it they go out with the first words. */
export function start(): Step {
  return { type: "start" }
}

/** A pause in milliseconds, less than 25 days. */
export function wait(milliseconds: number): Step {
  checkWait(milliseconds, "wait()")
  return { type: "wait", milliseconds }
}

/**
 * Keeps a connection alive, once every `every` milliseconds: `ping` events of Anthropic, comments elsewhere. Default
 * `times`: until the client leaves.
 */
export function pings({ every, times = Infinity }: { every: number; times?: number }): Step {
  checkWait(every, `pings() with "every"`)
  if (times !== Infinity) checkCount(times, `pings() with "times"`)
  return { type: "pings", every, times }
}

/** A piece of the reply that is not JSON. The reply goes on after it. */
export function badJson(): Step {
  return { type: "bad-json" }
}

/**
 * An error reported inside a reply that began with status 200; the body ends after it. The wire format chooses its types
 * and codes by `kind`, by default `server`; `code` replaces the code that it has for it.
 */
export function streamError(message: string, options: { code?: string; kind?: ErrorKind } = {}): Step {
  return { type: "stream-error", message, code: options.code, kind: options.kind ?? "server" }
}

/** Destroys the socket. As the first step the client gets no status line at all. */
export function cut(): Step {
  return { type: "cut" }
}

/** Ends the body cleanly, without a finish and without an end marker. */
export function end(): Step {
  return { type: "end" }
}

/** Keeps the socket open and silent until the client leaves or the server closes. */
export function stall(): Step {
  return { type: "stall" }
}

/** Why the model stopped. Default: `tool-calls` when the reply has a tool call, else `stop`. */
export function finish(reason: FinishReason): Setting {
  return { type: "finish", reason }
}

/** Token counts to report. What is left out is estimated, cached and reasoning tokens as 0. */
export function usage(counts: Usage): Setting {
  const { raw: _, ...checked } = counts
  for (const [name, count] of Object.entries(checked)) {
    if (count !== undefined) checkCount(count, `usage() with "${name}"`)
  }
  return { type: "usage", usage: counts }
}

function toChunks(chunks: string | readonly string[]): readonly string[] {
  return typeof chunks === "string" ? [chunks] : chunks
}

function toArgumentChunks(input: object | string | readonly string[]): readonly string[] {
  if (typeof input === "string") return [input]
  if (isStrings(input)) return input
  return JSON.stringify(input).match(/.{1,16}/gsu) ?? []
}

function isStrings(input: object): input is readonly string[] {
  return Array.isArray(input) && input.every((element) => typeof element === "string")
}
