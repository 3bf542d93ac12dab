import type { JSONObject } from "../base/json.ts"
import type { ToolResult } from "./tool.ts"
import type { FilePart, ToolState } from "../record/message.ts"
import type { UnsettledToolState } from "../record/tool-calls.ts"

// pending ──run──▶ running ──complete──▶ completed
//    └──────fail──────┴───────fail─────▶ error

type State<S extends ToolState["status"]> = Extract<ToolState, { status: S }>

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
