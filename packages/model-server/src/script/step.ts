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

/** The finish reason or token counts of the whole reply, at any position among the steps. */
export type Setting = { type: "finish"; reason: FinishReason } | { type: "usage"; usage: Usage }

/** Answer text: a string is one delta; an array has one delta per element. */
export function text(chunks: string | readonly string[]): Step {
  return { type: "text", chunks: toChunks(chunks) }
}

/**
 * Reasoning text, split like `text`. The signature proves to an API that the reasoning is the model's own. Default: a
 * digest of the text. Consecutive reasoning steps with the same signature, or without one, form one block.
 */
export function reasoning(chunks: string | readonly string[], options: { signature?: string } = {}): Step {
  return { type: "reasoning", chunks: toChunks(chunks), signature: options.signature }
}

/**
 * `count` text deltas that repeat the texts in turn, encoded in advance and written in large blocks, for load tests.
 */
export function deltas({ text, count }: { text: string | readonly string[]; count: number }): Step {
  checkCount(count, `deltas() with "count"`)
  const texts = typeof text === "string" ? [text] : text
  if (texts.length === 0) throw new Error("deltas() needs a text, got none.")
  return { type: "deltas", texts, count }
}

/**
 * A tool call. An object is sent as JSON in deltas of 16 characters. A string is sent unchanged, so it may be invalid
 * JSON; an array of strings is sent unchanged with one delta per element. Default `id`: `call_1`, `call_2`, … counted
 * by the server.
 */
export function call(
  name: string,
  input: object | string | readonly string[] = {},
  options: { id?: string } = {},
): Step {
  if (name === "") throw new Error("call() needs the name of a tool, got an empty one.")
  return { type: "tool-call", id: options.id, name, chunks: toArgumentChunks(input) }
}

/** Sends the status line and the beginning of the reply now. By default they are sent with the first content. */
export function start(): Step {
  return { type: "start" }
}

/** A pause in milliseconds, less than 25 days. */
export function wait(milliseconds: number): Step {
  checkWait(milliseconds, "wait()")
  return { type: "wait", milliseconds }
}

/**
 * Sends keep-alive data every `every` milliseconds: `ping` events for Anthropic, comments for other APIs. Default
 * `times`: until the client disconnects.
 */
export function pings({ every, times = Infinity }: { every: number; times?: number }): Step {
  checkWait(every, `pings() with "every"`)
  if (times !== Infinity) checkCount(times, `pings() with "times"`)
  return { type: "pings", every, times }
}

/** A piece of the reply that is not valid JSON. The reply continues after it. */
export function badJson(): Step {
  return { type: "bad-json" }
}

/**
 * An error inside a reply that began with status 200. The body ends after it. `kind` determines the types and codes;
 * default: `server`. `code` replaces the code for the kind.
 */
export function streamError(message: string, options: { code?: string; kind?: ErrorKind } = {}): Step {
  return { type: "stream-error", message, code: options.code, kind: options.kind ?? "server" }
}

/** Destroys the socket. If it is the first step, the client receives no status line. */
export function cut(): Step {
  return { type: "cut" }
}

/** Ends the body normally, but without a finish and an end marker. */
export function end(): Step {
  return { type: "end" }
}

/** Keeps the socket open without sending, until the client disconnects or the server closes. */
export function stall(): Step {
  return { type: "stall" }
}

/** The finish reason. Default: `tool-calls` if the reply has a tool call, else `stop`. */
export function finish(reason: FinishReason): Setting {
  return { type: "finish", reason }
}

/** Token counts to report. Defaults: estimates, and 0 for cached and reasoning tokens. */
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
