import type { ModelEvent } from "@pawl/core/provider"
import { reasonOf } from "./ending.ts"
import { usageOf } from "./estimate.ts"
import { createMetronome, type Pace } from "./pace.ts"
import { pause, standStill, throwIfAborted } from "./pause.ts"
import type { Reply, ReplyStep, ScriptedStep } from "./reply.ts"

export interface Performance {
  readonly pace: Pace
  readonly requestCharacters: number
  readonly signal: AbortSignal
}

/** Plays a reply: its events, pauses and error, in order. Throws an AbortError soon after the signal aborts. */
export async function* play(reply: Reply, performance: Performance): AsyncGenerator<ModelEvent, void, undefined> {
  const { signal } = performance
  const inTime = createMetronome(performance.pace, signal)

  for (const event of opening(reply)) {
    throwIfAborted(signal)
    yield event
  }
  for (const [index, step] of reply.entries()) {
    if (step.type === "wait") await pause(step.milliseconds, signal)
    if (step.type === "stall") await standStill(signal)
    if (step.type === "fail") throw step.error
    for (const event of eventsOf(step, index)) {
      throwIfAborted(signal)
      if (inTime !== undefined) await inTime(characters(event))
      yield event
    }
  }
  for (const event of closing(reply, performance.requestCharacters)) {
    throwIfAborted(signal)
    yield event
  }
}

function opening(reply: Reply): readonly ModelEvent[] {
  return reply.some(({ type }) => type === "start") ? [] : [{ type: "start" }, { type: "start-step" }]
}

function closing(reply: Reply, requestCharacters: number): readonly ModelEvent[] {
  if (reply.some(({ type }) => type === "finish" || type === "error")) return []
  const end = { reason: reasonOf(reply), usage: usageOf(reply, requestCharacters) }
  return [
    { type: "finish-step", ...end },
    { type: "finish", ...end },
  ]
}

function* eventsOf(step: ReplyStep, index: number): Generator<ModelEvent> {
  if (step.type === "text" || step.type === "reasoning") yield* block(step, `${step.type}-${index + 1}`)
  else if (step.type === "call") yield* toolCall(step, step.id ?? `call-${index + 1}`)
  else if (!isSilent(step)) yield step
}

function* block(step: Extract<ScriptedStep, { type: "text" | "reasoning" }>, id: string): Generator<ModelEvent> {
  const metadata = step.type === "reasoning" && step.metadata !== undefined ? { metadata: step.metadata } : {}
  yield { type: `${step.type}-start`, id }
  for (const text of step.chunks) yield { type: `${step.type}-delta`, id, text }
  yield { type: `${step.type}-end`, id, ...metadata }
}

function* toolCall(step: Extract<ScriptedStep, { type: "call" }>, id: string): Generator<ModelEvent> {
  const { name, chunks, metadata } = step
  yield { type: "tool-input-start", id, name }
  for (const delta of chunks) yield { type: "tool-input-delta", id, delta }
  yield { type: "tool-input-end", id }
  yield { type: "tool-call", id, name, input: chunks.join(""), ...(metadata === undefined ? {} : { metadata }) }
}

type SilentStep = Extract<ScriptedStep, { type: "wait" | "stall" | "fail" | "ending" }>

function isSilent(step: ReplyStep): step is SilentStep {
  return step.type === "wait" || step.type === "stall" || step.type === "fail" || step.type === "ending"
}

function characters(event: ModelEvent): number {
  if (event.type === "text-delta" || event.type === "reasoning-delta") return event.text.length
  return event.type === "tool-input-delta" ? event.delta.length : 0
}
