import type { ChoiceRequest, PermissionRequest } from "@pawl/core/host"

/** What is asked of a person, as OpenCode's clients know it. */
export function openCodePermission(request: PermissionRequest) {
  const { id, sessionID, permission, patterns, metadata, always, tool } = request
  return { id, sessionID, permission, patterns, metadata, always, tool }
}

export function openCodeQuestion({ id, sessionID, questions, tool }: ChoiceRequest) {
  return { id, sessionID, questions, tool }
}
