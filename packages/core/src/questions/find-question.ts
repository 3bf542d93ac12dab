import { madeAfter, type SessionID } from "../base/ids.ts"
import type { AnswerPart, MessageWithParts, QuestionPart, ToolPart } from "../record/message.ts"
import { isUnsettled } from "../record/tool-calls.ts"
import type { Storage } from "../contracts/storage.ts"

type Reader = Pick<Storage, "readMessages">

/** A stored question with its call. */
export interface StoredQuestion {
  readonly part: QuestionPart
  readonly call: ToolPart | undefined
  /** The agent of its message. */
  readonly agent: string
  /** Answers in its message, oldest first. */
  readonly answers: readonly AnswerPart[]
  /** All questions of its message. */
  readonly beside: readonly QuestionPart[]
}

/**
 * Returns the open questions of a session. Reads only its newest messages: completed answers have no open questions.
 */
export async function readOpenQuestions(storage: Reader, sessionID: SessionID): Promise<StoredQuestion[]> {
  for await (const message of storage.readMessages(sessionID)) {
    if (isAnswer(message)) return questionsOf(message).filter(isOpen)
  }
  return []
}

/** Finds a question. Stops at the message that the question must be in. */
export async function readQuestion(
  storage: Reader,
  sessionID: SessionID,
  questionID: string,
): Promise<StoredQuestion | undefined> {
  for await (const message of storage.readMessages(sessionID)) {
    const found = questionsOf(message).find(({ part }) => part.id === questionID)
    if (found) return found
    if (isAnswer(message) && madeAfter(questionID, message.info.id)) return undefined
  }
  return undefined
}

/** Returns whether a question waits for an answer. A finished call does not wait. */
export function isOpen({ part, call }: StoredQuestion): boolean {
  return part.time.closed === undefined && call !== undefined && isUnsettled(call.state)
}

function isAnswer({ info }: MessageWithParts): boolean {
  return info.role === "assistant" && !info.summary
}

function questionsOf({ info, parts }: MessageWithParts): StoredQuestion[] {
  const beside = parts.filter((part) => part.type === "question")
  return beside.map((part): StoredQuestion => {
    const call = parts.find((other): other is ToolPart => other.type === "tool" && other.callID === part.callID)
    const answers = parts.filter((other) => other.type === "answer" && other.questionID === part.id) as AnswerPart[]
    return { part, call, agent: info.agent, answers, beside }
  })
}
