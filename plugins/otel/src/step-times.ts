import { type AssistantMessage, type MessageWithParts, spentFor, type ToolPart } from "@pawl/core/record"

/** From when to when, in epoch milliseconds. */
export interface Times {
  readonly start: number
  readonly end: number
}

type Answer = MessageWithParts<AssistantMessage>

/** Whether a model was asked for it: what a command has a subagent do is a message too. */
export function isAsked(answer: Answer): boolean {
  return spentFor(answer).requests > 0
}

/** Of the request that was answered, without the attempts before it. Undefined where it is not known. */
export function requestTimes({ info, parts }: Answer): Times | undefined {
  const took = parts.find((part) => part.type === "step-finish")?.took
  if (took === undefined) return undefined
  let start = info.time.created
  for (const part of parts) if (part.type === "retry") start = Math.max(start, part.next ?? part.time.created)
  return { start, end: start + took }
}

/** Of all that was done for an answer: until it was there where that is known, and else until the message was complete. */
export function answerTimes(answer: Answer): Times {
  const { created, completed = created } = answer.info.time
  // Nobody knows how long somebody worked on what a dead process has left.
  if (answer.parts.some((part) => isInterrupted(part))) return { start: created, end: created }
  return times(created, Math.min(requestTimes(answer)?.end ?? completed, completed))
}

/** Undefined for a call that did not run to its end: one that was refused, or that a dead process has left. */
export function callTimes(part: ToolPart): Times | undefined {
  const { state, metadata } = part
  // What repeating it would do is noted when it begins.
  const hasRun = metadata?.["effect"] !== undefined && !isInterrupted(part)
  if (!hasRun || (state.status !== "completed" && state.status !== "error")) return undefined
  return times(state.time.start, state.time.end)
}

function isInterrupted(part: Answer["parts"][number]): boolean {
  return part.type === "tool" && part.state.status === "error" && part.state.metadata?.["interrupted"] === true
}

/** Clocks are set back now and then. */
function times(start: number, end: number): Times {
  return { start, end: Math.max(start, end) }
}
