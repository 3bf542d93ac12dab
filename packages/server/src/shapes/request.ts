import type { ChoiceRequest, PermissionRequest } from "@pawl/core/host"

/** Converts a permission question to OpenCode's form. */
export function openCodePermission(request: PermissionRequest) {
  const { id, sessionID, permission, patterns, metadata, always, tool } = request
  return { id, sessionID, permission, patterns, metadata, always, tool }
}

export function openCodeQuestion({ id, sessionID, questions, tool }: ChoiceRequest) {
  return { id, sessionID, questions, tool }
}
