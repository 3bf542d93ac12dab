import type { EngineEvent } from "@pawl/core"
import type { QuestionPart } from "@pawl/core/record"
import { answerWords, questionSubject } from "@pawl/terminal-text/question-lines"
import type { SubagentTracker } from "@pawl/runtime/run/subagent-tracker"

export interface QuestionNoticeOptions {
  /** Command that started pawl. */
  readonly program: string
  readonly subagents: Pick<SubagentTracker, "subagentOf">
  /** Set if the user of this terminal is asked. Otherwise the notice says how to answer from another terminal. */
  readonly isAskedHere: boolean
  readonly isAnsweredHere: (id: string) => boolean
}

/** Returns the notice for a question: how to answer it, or that it was answered at another terminal. */
export function questionNotice(event: EngineEvent, options: QuestionNoticeOptions): string | undefined {
  if (event.type !== "message.part.updated" || event.properties.part.type !== "question") return undefined
  const { part } = event.properties
  const subagent = options.subagents.subagentOf(part.sessionID)
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
