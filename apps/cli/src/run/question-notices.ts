import type { EngineEvent, QuestionPart } from "@pawl/core"
import { answerWords, questionSubject } from "../render/question-lines.ts"
import type { Family } from "./family.ts"

export interface QuestionNoticeOptions {
  /** How pawl was called. */
  readonly program: string
  readonly family: Pick<Family, "subagentOf">
  /** Whether somebody here is asked; else it is said how to answer from elsewhere. */
  readonly isAskedHere: boolean
  readonly isAnsweredHere: (id: string) => boolean
}

/** What people are told of a question besides being asked: how to answer it, and that somebody else has. */
export function questionNotice(event: EngineEvent, options: QuestionNoticeOptions): string | undefined {
  if (event.type !== "message.part.updated" || event.properties.part.type !== "question") return undefined
  const { part } = event.properties
  const subagent = options.family.subagentOf(part.sessionID)
  const who = subagent ? ` (${subagent.name})` : ""
  const what = `${questionSubject(part)}${who}`
  if (part.answer) return options.isAnsweredHere(part.id) ? undefined : `${what}: ${closedWords(part)}`
  if (options.isAskedHere || part.time.closed !== undefined) return undefined
  const answers = part.about.type === "permission" ? "yes|no|always" : '"<choice>"'
  return `waiting for an answer: ${what} · ${options.program} questions answer ${part.id} ${answers}`
}

function closedWords(part: QuestionPart): string {
  const words = answerWords(part) ?? "closed"
  if (part.answerID !== undefined) return `${words}, answered from elsewhere`
  return part.answer?.type === "permission" ? `${words}, with the answer to another question` : words
}
