import type { PermissionAction } from "@pawl/core/permission"
import type { MessageWithParts, ToolPart } from "@pawl/core/record"

/** Returns the decision on a stored call: allowed, asked or denied. Undefined without a decision. */
export function recordedAction(call: ToolPart, { parts }: MessageWithParts): PermissionAction | undefined {
  const isAsked = parts.some((part) => {
    return part.type === "question" && part.callID === call.callID && part.about.type === "permission"
  })
  if (isAsked) return "ask"
  const { state } = call
  // It stands there since the call began to run.
  if (state.status === "completed" || call.metadata?.["effect"] !== undefined) return "allow"
  if (state.status !== "error") return undefined
  if (/\bneeds permission for\b/.test(state.error)) return "ask"
  return /\bdenies\b/.test(state.error) ? "deny" : undefined
}
