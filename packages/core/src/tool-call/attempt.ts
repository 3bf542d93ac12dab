import type { JSONObject } from "../base/json.ts"
import { HookError, messageOf, PermissionDeniedError } from "../base/errors.ts"
import type { HookInput, HookOutput } from "../contracts/hooks.ts"
import type { ToolResult } from "../contracts/tool.ts"
import type { FilePart, ToolPart } from "../record/message.ts"
import { InactivityError } from "../base/supervise.ts"
import { realChanges } from "./file-changes.ts"
import { complete, fail } from "../contracts/tool-state.ts"

type StatePart<S extends string> = ToolPart & { state: Extract<ToolPart["state"], { status: S }> }
export type PendingToolPart = StatePart<"pending">
/** A call without a result. */
export type UnsettledToolPart = PendingToolPart | StatePart<"running">

export type ToolCallStatus = HookInput<"tool.execute.after">["status"]
export type ToolCallInfo = HookInput<"tool.execute.before">
export type ToolCallDraft = HookOutput<"tool.execute.after">

/** The progress of a call. `part` is as last journaled, or about to be. */
export interface Attempt {
  part: UnsettledToolPart
  args: unknown
  /** Set once the hook `tool.execute.before` has run for this call. */
  guardRan: boolean
  result?: ToolResult
  error?: unknown
}

export function statusOf({ result, error }: Attempt, signal: AbortSignal): ToolCallStatus {
  if (result) return "completed"
  if (error instanceof PermissionDeniedError) return "denied"
  if (error instanceof HookError) return "denied"
  if (error instanceof InactivityError) return "timeout"
  return signal.aborted ? "aborted" : "error"
}

export function toDraft({ result, error }: Attempt, status: ToolCallStatus): ToolCallDraft {
  if (!result)
    return { title: "", output: status === "aborted" ? "Tool execution aborted" : messageOf(error), metadata: {} }
  const { title, output, metadata, attachments } = result
  const files = attachments?.map((file) => ({ ...file, type: "file" as const }))
  return { title, output, metadata: { ...metadata }, ...(files ? { attachments: files } : {}) }
}

export function settled(attempt: Attempt, draft: ToolCallDraft, status: ToolCallStatus, now: number): ToolPart {
  const metadata = draft.metadata as JSONObject
  const part = withRealChanges(attempt.part)
  if (status !== "completed" || part.state.status !== "running") {
    const interrupted = status === "aborted" ? { interrupted: true } : {}
    return { ...part, state: fail(part.state, draft.output, now, { ...metadata, ...interrupted }) }
  }
  const attachments = (draft.attachments ?? []).map((file, index): FilePart => {
    return { ...file, id: `${part.id}_${index}`, sessionID: part.sessionID, messageID: part.messageID }
  })
  const { title, output } = draft
  return { ...part, state: complete(part.state, { title, output, metadata }, attachments, now) }
}

function withRealChanges(part: UnsettledToolPart): UnsettledToolPart {
  if (!part.changes) return part
  const { changes, ...rest } = part
  const real = realChanges(changes)
  return real.length > 0 ? { ...rest, changes: real } : rest
}
