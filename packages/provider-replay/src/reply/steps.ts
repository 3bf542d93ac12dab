import type { FinishReason, JSONObject, JSONValue } from "@pawl/core/provider"
import { MAX_TIMER_MS } from "./pause.ts"
import type { ScriptedStep, ScriptedUsage } from "./reply.ts"

/** Answer text. A string is one delta; an array has one delta per element. */
export function text(chunks: string | readonly string[]): ScriptedStep {
  return { type: "text", chunks: toChunks(chunks) }
}

/** Reasoning, split like `text`. `metadata` is sent back to the provider with it. */
export function reasoning(chunks: string | readonly string[], metadata?: JSONObject): ScriptedStep {
  return { type: "reasoning", chunks: toChunks(chunks), metadata }
}

/** A tool call. A string is sent unchanged, so that arguments may be invalid JSON. */
export function call(name: string, input: JSONValue = {}, options: { id?: string } = {}): ScriptedStep {
  return {
    type: "call",
    id: options.id,
    name,
    chunks: toChunks(typeof input === "string" ? input : JSON.stringify(input)),
  }
}

/** The finish reason and token counts. Default: `tool-calls` after a tool call, else `stop`. */
export function finish(reason: FinishReason, usage?: ScriptedUsage): ScriptedStep {
  return { type: "ending", reason, usage }
}

/** Ends the answer with an error, usually a ProviderError. */
export function fail(error: Error): ScriptedStep {
  return { type: "fail", error }
}

/** A pause in milliseconds, less than 25 days. */
export function wait(milliseconds: number): ScriptedStep {
  if (!(milliseconds >= 0 && milliseconds <= MAX_TIMER_MS)) {
    throw new RangeError(`wait() needs 0 to ${MAX_TIMER_MS} milliseconds, got ${milliseconds}.`)
  }
  return { type: "wait", milliseconds }
}

/** Sends nothing more until the signal aborts, like a server that hangs. */
export function stall(): ScriptedStep {
  return { type: "stall" }
}

function toChunks(chunks: string | readonly string[]): readonly string[] {
  if (typeof chunks !== "string") return chunks
  return chunks === "" ? [] : [chunks]
}
