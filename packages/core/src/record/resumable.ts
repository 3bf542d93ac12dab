import type { Part, ToolPart } from "./message.ts"

/** How often a call that is interrupted while it runs is run again: it may be what ends the process. */
export const MAX_RERUNS = 2

/**
 * Returns whether a call that a dead owner left is continued: a call that asks and has not run yet, and a running call
 * that may run again under the same key. `parts`: those of its message.
 */
export function canResume(part: ToolPart, parts: readonly Part[]): boolean {
  if (part.state.status === "running") return isResumable(part) || isRepeatable(part)
  return part.state.status === "pending" && hasQuestion(part, parts)
}

/** Set when the tool finds its earlier work by its idempotency key, as `task` does. Runs again without a limit. */
export function isResumable({ metadata }: ToolPart): boolean {
  return metadata?.["resumable"] === true
}

/** Set when running the call twice does no more than running it once. Runs again `MAX_RERUNS` times at most. */
export function isRepeatable({ metadata }: ToolPart): boolean {
  const effect = metadata?.["effect"]
  return effect === "pure" || effect === "idempotent"
}

/** How often the call has been left for another run. */
export function rerunsOf({ metadata }: ToolPart): number {
  const reruns = metadata?.["reruns"]
  return typeof reruns === "number" ? reruns : 0
}

/** A call that waits for a person does not end its process, so its reruns are not counted. */
export function isAsking({ callID }: ToolPart, parts: readonly Part[]): boolean {
  return parts.some((part) => part.type === "question" && part.callID === callID && part.time.closed === undefined)
}

function hasQuestion({ callID }: ToolPart, parts: readonly Part[]): boolean {
  return parts.some((part) => part.type === "question" && part.callID === callID)
}

/** Those that are to be gone on with, in their order. */
export function resumableCalls(parts: readonly Part[]): ToolPart[] {
  return parts.filter((part): part is ToolPart => part.type === "tool" && canResume(part, parts))
}
