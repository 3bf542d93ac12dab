import type { Question } from "@pawl/core"
import type { ChoiceRequest, PermissionRequest } from "@pawl/core/host"
import { askedCallDetails } from "./asked-call.ts"
import { openCodeQuestion } from "./request.ts"

type Permission = Omit<PermissionRequest, "rootSessionID" | "directory">

/** Converts a permission question to the form of OpenCode's newer interface. */
export function newerPermission({ id, sessionID, permission, patterns, always, metadata, tool }: Permission) {
  return {
    ...{ id, sessionID, action: permission, resources: patterns },
    ...(always.length > 0 ? { save: always } : {}),
    metadata,
    source: { type: "tool" as const, ...tool },
  }
}

/** Converts the open permission questions among stored ones. `directory`: that of their calls. */
export function storedPermissions(stored: readonly Question[], directory: string) {
  return stored.flatMap(({ id, sessionID, messageID, callID, about, input, time }) => {
    if (about.type !== "permission") return []
    const { permission, patterns, always } = about
    const state = { status: "running" as const, input, time: { start: time.created } }
    const metadata = { ...askedCallDetails({ state }, directory), ...about.metadata }
    return newerPermission({ id, sessionID, permission, patterns, always, metadata, tool: { messageID, callID } })
  })
}

/** Converts the open choices among stored questions. */
export function storedChoices(stored: readonly Question[]) {
  return stored.flatMap(({ id, sessionID, rootSessionID, messageID, callID, about }) => {
    if (about.type !== "choice") return []
    const request: ChoiceRequest = {
      id,
      sessionID,
      rootSessionID,
      questions: about.questions,
      tool: { messageID, callID },
    }
    return openCodeQuestion(request)
  })
}
