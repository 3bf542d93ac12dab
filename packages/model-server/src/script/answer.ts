import { estimateTokens, type FinishReason, type Usage } from "./finish.ts"
import { isLast, type AnswerReply } from "./reply.ts"
import type { Step } from "./step.ts"

/** A reply with all defaults of the script filled in, ready for encoding. */
export interface Answer {
  readonly steps: readonly AnswerStep[]
  readonly finish: FinishReason
  readonly usage: Required<Usage>
}

export type AnswerStep = Exclude<Step, { type: "tool-call" }> | ToolCallStep

export interface ToolCallStep {
  readonly type: "tool-call"
  /** Position among the tool calls of this answer, from 0. */
  readonly index: number
  readonly id: string
  readonly name: string
  readonly chunks: readonly string[]
}

/** Numbers the tool calls, sets the finish reason and estimates the usage. */
export function toAnswer(reply: AnswerReply, requestCharacters: number, nextCallID: () => string): Answer {
  const steps: AnswerStep[] = []
  let calls = 0
  for (const step of reply.steps) {
    steps.push(step.type === "tool-call" ? { ...step, index: calls++, id: step.id ?? nextCallID() } : step)
  }
  return {
    steps,
    finish: reply.finish ?? (calls > 0 ? "tool-calls" : "stop"),
    usage: {
      inputTokens: estimateTokens(requestCharacters),
      outputTokens: estimateTokens(reply.steps.reduce((sum, step) => sum + charactersOf(step), 0)),
      cachedTokens: 0,
      cacheWriteTokens: 0,
      reasoningTokens: 0,
      raw: undefined,
      ...reply.usage,
    },
  }
}

/** Returns true if the client receives content before the last step. */
export function saysSomething(answer: Answer): boolean {
  return answer.steps.some((step) => !isSilent(step))
}

function isSilent(step: AnswerStep): boolean {
  return step.type === "wait" || step.type === "pings" || (step.type !== "tool-call" && isLast(step))
}

/** Returns the whole text of `deltas`. */
export function cycled({ texts, count }: Extract<Step, { type: "deltas" }>): string {
  const whole = texts.join("").repeat(Math.floor(count / texts.length))
  return whole + texts.slice(0, count % texts.length).join("")
}

function charactersOf(step: Step): number {
  if (step.type === "deltas") return cycled(step).length
  if (!("chunks" in step)) return 0
  const name = step.type === "tool-call" ? step.name.length : 0
  return step.chunks.reduce((sum, chunk) => sum + chunk.length, name)
}
