import type { SessionID } from "../base/ids.ts"
import type { QuestionPart } from "../record/message.ts"
import { rootOf } from "../store/ancestors.ts"
import type { JSONObject } from "../base/json.ts"
import type { Storage } from "../contracts/storage.ts"
import { readOpenQuestions } from "./find-question.ts"

/** A question that waits for an answer, in any process. */
export interface Question extends Pick<QuestionPart, "id" | "sessionID" | "messageID" | "callID" | "about" | "time"> {
  readonly rootSessionID: SessionID
  /** The asking agent. */
  readonly agent: string
  /** The tool of the waiting call. */
  readonly tool: string
  readonly input: JSONObject
}

/** Returns the open questions of a session and of all below it, oldest first. Reads only the newest messages. */
export async function openQuestions(
  storage: Pick<Storage, "readMessages" | "listSessions" | "getSession">,
  sessionID: SessionID,
): Promise<Question[]> {
  const rootSessionID = await rootOf(storage, sessionID)
  const tree = new Set([sessionID])
  const questions: Question[] = []
  for (const id of tree) {
    for (const { part, call, agent } of await readOpenQuestions(storage, id)) {
      const { messageID, callID, about, time } = part
      const { tool = "", state } = call ?? {}
      const input = (state?.input ?? {}) as JSONObject
      questions.push({ id: part.id, sessionID: id, rootSessionID, messageID, callID, agent, tool, input, about, time })
    }
    for await (const child of storage.listSessions({ parentID: id })) tree.add(child.id)
  }
  return questions.toSorted((a, b) => a.time.created - b.time.created || (a.id < b.id ? -1 : 1))
}
