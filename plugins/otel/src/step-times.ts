import { type AssistantMessage, type MessageWithParts, spentFor, type ToolPart } from "@pawl/core/record"

/** In epoch milliseconds. */
export interface Times {
  readonly start: number
  readonly end: number
}

type Answer = MessageWithParts<AssistantMessage>

/** Returns true if the message is an answer of a model. A command that starts a subagent also creates a message. */
export function isModelAnswer(answer: Answer): boolean {
  return spentFor(answer).requests > 0
}

/** Times of the successful request, without earlier attempts. Undefined if unknown. */
export function requestTimes({ info, parts }: Answer): Times | undefined {
  const took = parts.find((part) => part.type === "step-finish")?.took
  if (took === undefined) return undefined
  let start = info.time.created
  for (const part of parts) if (part.type === "retry") start = Math.max(start, part.next ?? part.time.created)
  return { start, end: start + took }
}

/** Times of the whole answer: until it was received if that is known, otherwise until the message was complete. */
export function answerTimes(answer: Answer): Times {
  const { created, completed = created } = answer.info.time
  // The duration is unknown if the process died.
  if (answer.parts.some((part) => isInterrupted(part))) return { start: created, end: created }
  return times(created, Math.min(requestTimes(answer)?.end ?? completed, completed))
}

/** Returns undefined for a call that was refused or interrupted. */
export function callTimes(part: ToolPart): Times | undefined {
  const { state, metadata } = part
  // The effect is stored when a call starts.
  const hasRun = metadata?.["effect"] !== undefined && !isInterrupted(part)
  if (!hasRun || (state.status !== "completed" && state.status !== "error")) return undefined
  return times(state.time.start, state.time.end)
}

function isInterrupted(part: Answer["parts"][number]): boolean {
  return part.type === "tool" && part.state.status === "error" && part.state.metadata?.["interrupted"] === true
}

/** Guards against a clock that was set back. */
function times(start: number, end: number): Times {
  return { start, end: Math.max(start, end) }
}
