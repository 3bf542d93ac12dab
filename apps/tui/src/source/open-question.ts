import type { Question } from "@pawl/core"
import type { OpenQuestion } from "../state/view.ts"

/** Converts a stored question that is not answered yet. */
export function openQuestion({ about, ...stored }: StoredQuestion): OpenQuestion {
  const { id, sessionID, rootSessionID, messageID, callID, time } = stored
  const asked = { id, sessionID, rootSessionID, tool: { messageID, callID } }
  const since = time.created
  if (about.type === "choice") return { type: "choice", request: { ...asked, questions: about.questions }, since }
  const { permission, patterns, always, metadata, directory } = about
  const place = directory === undefined ? {} : { directory }
  return { type: "permission", request: { ...asked, permission, patterns, always, metadata, ...place }, since }
}

type StoredQuestion = Pick<Question, "about" | "id" | "sessionID" | "rootSessionID" | "messageID" | "callID" | "time">
