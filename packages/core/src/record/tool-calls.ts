import type { Part, ToolState } from "./message.ts"

export type UnsettledToolState = Extract<ToolState, { status: "pending" | "running" }>

export function isUnsettled(state: ToolState): state is UnsettledToolState {
  return state.status === "pending" || state.status === "running"
}

/** Returns whether the part is a call whose output was removed from the context. */
export function isCleared(part: Part): boolean {
  return part.type === "tool" && part.state.status === "completed" && part.state.time.compacted !== undefined
}

/** Key in the `metadata` of a part whose result was cut once more after it was stored, to fit beside others. */
export const CUT_AGAIN = "cutAgain"

/**
 * Returns whether a part was stored again after its end, because requests show less of it, its output was cleared or
 * cut, or one of its files was refused. Such a change is not progress of its work.
 */
export function isStoredAgain(part: Part): boolean {
  if ("shownBytes" in part && part.shownBytes !== undefined) return true
  if (part.type !== "tool" || isUnsettled(part.state)) return false
  if (part.metadata?.[CUT_AGAIN] === true) return true
  if (part.state.status !== "completed") return false
  return isCleared(part) || (part.state.attachments ?? []).some(({ rejected }) => rejected)
}
