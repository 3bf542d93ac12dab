import type { Part, ToolPart } from "./message.ts"

/**
 * Number of times that a call is run again after its process died while it ran: the call itself may end the process.
 */
export const MAX_RERUNS = 2

/**
 * Returns whether a call that a dead owner left is continued: a call that asked and has not run yet, or a running call
 * that may run again under the same key. `parts`: the parts of its message.
 */
export function canResume(part: ToolPart, parts: readonly Part[]): boolean {
  if (part.state.status === "running") return isResumable(part) || isRepeatable(part)
  return part.state.status === "pending" && hasQuestion(part, parts)
}

/**
 * Returns whether the tool finds its earlier work by its idempotency key, as `task` does. Such a call runs again
 * without a limit.
 */
export function isResumable({ metadata }: ToolPart): boolean {
  return metadata?.["resumable"] === true
}

/**
 * Returns whether running the call twice does no more than running it once. Such a call runs again at most `MAX_RERUNS`
 * times.
 */
export function isRepeatable({ metadata }: ToolPart): boolean {
  const effect = metadata?.["effect"]
  return effect === "pure" || effect === "idempotent"
}

/** Returns how often the call was left for another run. */
export function rerunsOf({ metadata }: ToolPart): number {
  const reruns = metadata?.["reruns"]
  return typeof reruns === "number" ? reruns : 0
}

/**
 * Returns whether the call waits for the user. Its reruns are not counted, because waiting does not end its process.
 */
export function isAsking({ callID }: ToolPart, parts: readonly Part[]): boolean {
  return parts.some((part) => part.type === "question" && part.callID === callID && part.time.closed === undefined)
}

function hasQuestion({ callID }: ToolPart, parts: readonly Part[]): boolean {
  return parts.some((part) => part.type === "question" && part.callID === callID)
}

/** Returns the calls to continue, in their order. */
export function resumableCalls(parts: readonly Part[]): ToolPart[] {
  return parts.filter((part): part is ToolPart => part.type === "tool" && canResume(part, parts))
}
