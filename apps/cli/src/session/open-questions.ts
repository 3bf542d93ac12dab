import type { Engine, Question, Session, SessionID } from "@pawl/core"
import type { QuestionPart } from "@pawl/core/record"
import type { Storage } from "@pawl/core/storage"
import { UsageError } from "../arguments/usage-error.ts"
import { questionSubject } from "@pawl/terminal-text/question-lines"
import { collected } from "@pawl/runtime/session/collected"

/** A session without a parent, with the open questions of itself and its child sessions. */
export interface AskingSession {
  readonly session: Session
  /** Oldest first. */
  readonly questions: readonly Question[]
}

/** Yields the sessions with open questions, newest first. */
export async function* askingSessions(
  engine: Pick<Engine, "questions">,
  storage: Pick<Storage, "listSessions">,
  directory: string | undefined,
): AsyncGenerator<AskingSession> {
  const query = { parentID: null, ...(directory === undefined ? {} : { directory }) }
  for await (const session of storage.listSessions(query)) {
    const questions = await engine.questions(session.id)
    if (questions.length > 0) yield { session, questions }
  }
}

type NamedQuestion = Pick<QuestionPart, "id" | "sessionID" | "about">

/** Number of messages in which a closed question is searched. */
const LOOKED_BACK = 20

/** Returns the question with this unique prefix of an id, open or not. Throws UsageError for no match and for several. */
export async function questionByID(
  engine: Pick<Engine, "questions">,
  storage: Storage,
  id: string,
): Promise<NamedQuestion> {
  const beginning = id.startsWith("prt_") ? id : `prt_${id}`
  if (!/^prt_[\dA-Za-z]{4,64}$/.test(beginning)) throw new UsageError(`invalid question id "${id}"`, SEE)
  const found: NamedQuestion[] = []
  for await (const { questions } of askingSessions(engine, storage, undefined)) {
    found.push(...questions.filter((question) => question.id.startsWith(beginning)))
  }
  if (found.length === 0) found.push(...(await closedQuestions(storage, beginning)))
  const [only] = found
  if (!only) throw new UsageError(`There is no question ${id}.`, SEE)
  if (found.length > 1) {
    const lines = found.slice(0, 8).map((question) => `  ${question.id}  ${questionSubject(question)}`)
    throw new UsageError(
      `The ids of several questions begin with ${id}:`,
      [...lines, "Write more of the id."].join("\n"),
    )
  }
  return only
}

const SEE = "See: pawl questions --all"

async function closedQuestions(storage: Storage, beginning: string): Promise<NamedQuestion[]> {
  const sessions: { readonly id: SessionID }[] = await collected(storage.listSessions({ limit: 200 }))
  const found: NamedQuestion[] = []
  for (const { id } of sessions) {
    for await (const { parts } of storage.readMessages(id, { limit: LOOKED_BACK })) {
      for (const part of parts) if (part.type === "question" && part.id.startsWith(beginning)) found.push(part)
    }
  }
  return found
}
