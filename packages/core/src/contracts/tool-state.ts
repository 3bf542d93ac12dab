import type { JSONObject } from "../base/json.ts"
import type { ToolResult } from "./tool.ts"
import type { FilePart, Part, ToolState } from "../record/message.ts"

// pending ──run──▶ running ──complete──▶ completed
//    └──────fail──────┴───────fail─────▶ error

type State<S extends ToolState["status"]> = Extract<ToolState, { status: S }>
export type UnsettledToolState = State<"pending"> | State<"running">

export function pending(raw: string): State<"pending"> {
  return { status: "pending", input: {}, raw }
}

export function run(_from: State<"pending">, input: JSONObject, now: number): State<"running"> {
  return { status: "running", input, time: { start: now } }
}

export function complete(
  from: State<"running">,
  result: ToolResult,
  attachments: FilePart[],
  now: number,
): State<"completed"> {
  return {
    status: "completed",
    input: from.input,
    output: result.output,
    title: result.title,
    metadata: { ...from.metadata, ...result.metadata },
    ...(attachments.length > 0 ? { attachments } : {}),
    time: { start: from.time.start, end: now },
  }
}

export function fail(from: UnsettledToolState, error: string, now: number, metadata?: JSONObject): State<"error"> {
  const kept = { ...(from.status === "running" ? from.metadata : {}), ...metadata }
  return {
    status: "error",
    input: from.input,
    error,
    ...(Object.keys(kept).length > 0 ? { metadata: kept } : {}),
    time: { start: from.status === "running" ? from.time.start : now, end: now },
  }
}

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
