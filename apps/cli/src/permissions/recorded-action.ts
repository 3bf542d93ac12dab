import type { MessageWithParts, PermissionAction, ToolPart } from "@pawl/core"

/** What had become of a call: it ran without a question, it was asked, it was denied. Undefined where nothing was decided. */
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
