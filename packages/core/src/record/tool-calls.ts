import type { Part, ToolState } from "./message.ts"

export type UnsettledToolState = Extract<ToolState, { status: "pending" | "running" }>

export function isUnsettled(state: ToolState): state is UnsettledToolState {
  return state.status === "pending" || state.status === "running"
}

/** A call whose output has left the context. */
export function isCleared(part: Part): boolean {
  return part.type === "tool" && part.state.status === "completed" && part.state.time.compacted !== undefined
}

/** Set in the `metadata` of a part whose result was cut once more after it was stored, to fit beside others. */
export const CUT_AGAIN = "cutAgain"

/**
 * A part that has been stored once more since its end, because requests show less of it, its output was cleared or cut, or
 * one of its files refused: that is no news of its work.
 */
export function isStoredAgain(part: Part): boolean {
  if ("shownBytes" in part && part.shownBytes !== undefined) return true
  if (part.type !== "tool" || isUnsettled(part.state)) return false
  if (part.metadata?.[CUT_AGAIN] === true) return true
  if (part.state.status !== "completed") return false
  return isCleared(part) || (part.state.attachments ?? []).some(({ rejected }) => rejected)
}
