import type { FinishReason, JSONObject, ModelEvent } from "@pawl/core/provider"

/**
 * An answer of a scripted model, played from the first step to the last. `start` and `start-step` are sent before it,
 * `finish-step` and `finish` after it, unless the reply contains such events or fails.
 */
export type Reply = readonly ReplyStep[]

/** A step of an answer, or any event, which is sent unchanged. */
export type ReplyStep = ScriptedStep | ModelEvent

export type ScriptedStep =
  | { readonly type: "text"; readonly chunks: readonly string[] }
  | { readonly type: "reasoning"; readonly chunks: readonly string[]; readonly metadata?: JSONObject | undefined }
  /** The joined `chunks` are the arguments, which may be invalid JSON. */
  | {
      readonly type: "call"
      readonly id?: string | undefined
      readonly name: string
      readonly chunks: readonly string[]
      /** Provider metadata, which the next request sends back with the call. */
      readonly metadata?: JSONObject | undefined
    }
  /** A pause in milliseconds. */
  | { readonly type: "wait"; readonly milliseconds: number }
  /** Sends nothing more until the signal aborts. */
  | { readonly type: "stall" }
  /** Ends the answer with this error. */
  | { readonly type: "fail"; readonly error: Error }
  /** The finish reason and token counts, at any position in the reply. */
  | { readonly type: "ending"; readonly reason?: FinishReason | undefined; readonly usage?: ScriptedUsage | undefined }

/** Token counts without overlap. Defaults: estimates for `input` and `output`, 0 for the others. */
export interface ScriptedUsage {
  readonly input?: number | undefined
  readonly output?: number | undefined
  readonly reasoning?: number | undefined
  readonly cacheRead?: number | undefined
  readonly cacheWrite?: number | undefined
}

/** Gives each tool call without an id the next of `call_1`, `call_2`, … that is not used in the script. */
export function numberCalls(replies: readonly Reply[]): readonly Reply[] {
  const usedIDs = new Set(replies.flatMap((reply) => reply.map(idOfCall)))
  let calls = 0
  const nextID = () => {
    do calls++
    while (usedIDs.has(`call_${calls}`))
    return `call_${calls}`
  }
  return replies.map((reply) =>
    reply.map((step) => (step.type === "call" ? { ...step, id: step.id ?? nextID() } : step)),
  )
}

function idOfCall(step: ReplyStep): string | undefined {
  return step.type === "call" || step.type === "tool-call" ? step.id : undefined
}
