import { type AssistantMessage, type MessageWithParts, spentFor, type ToolPart } from "@pawl/core"

/** From when to when, in epoch milliseconds. */
export interface Span {
  readonly start: number
  readonly end: number
}

type Answer = MessageWithParts<AssistantMessage>

/** Whether a model was asked for it: what a command has a subagent do is a message too. */
export function isAsked(answer: Answer): boolean {
  return spentFor(answer).requests > 0 || answer.info.error !== undefined
}

/** From the last attempt's beginning until the answer was there: as far as is stored, until its last call began. */
export function spanOfRequest({ info, parts }: Answer): Span {
  let start = info.time.created
  let lastCall: number | undefined
  for (const part of parts) {
    if (part.type === "retry") start = Math.max(start, part.next ?? part.time.created)
    const call = part.type === "tool" ? spanOfCall(part) : undefined
    if (call) lastCall = Math.max(lastCall ?? 0, call.start)
  }
  return span(start, lastCall ?? info.time.completed ?? start)
}

/** Undefined for one that did not run. */
export function spanOfCall({ state }: ToolPart): Span | undefined {
  return "time" in state && "end" in state.time ? span(state.time.start, state.time.end) : undefined
}

/** Clocks are set back now and then. */
function span(start: number, end: number): Span {
  return { start, end: Math.max(start, end) }
}
