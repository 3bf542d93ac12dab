import { NotFoundError } from "./base/errors.ts"
import { isSessionID, type PartID, type SessionID } from "./base/ids.ts"
import type { Engine } from "./engine.ts"
import type { EngineSession, SessionResult } from "./engine-session.ts"
import { answerText } from "./record/answer-text.ts"
import type { RunResult } from "./run/run-result.ts"
import type { SessionEvents } from "./sessions/session-events.ts"

export function createEngineSession(engine: Engine, id: SessionID, events: SessionEvents["open"]): EngineSession {
  const send: EngineSession["prompt"] = async (prompt, options) => {
    const parts = typeof prompt === "string" ? [{ type: "text" as const, text: prompt }] : prompt
    return withText(await engine.prompt({ ...options, sessionID: id, parts }))
  }
  return {
    id,
    info: () => engine.getSession(id),
    update: (changes) => engine.updateSession(id, changes),
    prompt: send,
    steer: (prompt, options) => send(prompt, { ...options, delivery: "steer" }),
    enqueue: (prompt, options) => send(prompt, { ...options, delivery: "queue" }),
    callTool: (tool, input, options) => engine.callTool({ ...options, sessionID: id, tool, input }),
    queue: () => engine.queue(id),
    withdraw: (promptID) => engine.withdraw(id, promptID),
    resume: async () => withText(await engine.resume(id)),
    compact: async (options) => withText(await engine.compact(id, options)),
    async abort() {
      await engine.getSession(id)
      await engine.abort(id)
    },
    questions: () => engine.questions(id),
    answer(question, answer) {
      const isChoice = (value: typeof answer): value is readonly (readonly string[])[] => Array.isArray(value)
      const target = { sessionID: question.sessionID, questionID: question.id as PartID }
      if (typeof answer === "string") return engine.answer({ ...target, answer: { type: "permission", reply: answer } })
      if (!isChoice(answer)) return engine.answer({ ...target, answer })
      const answers = answer.map((labels) => [...labels])
      return engine.answer({ ...target, answer: { type: "choice", answers } })
    },
    messages: (page) => engine.readMessages(id, page),
    events: (options) => events(id, options),
    async fork(point) {
      return engine.session(await engine.forkSession({ ...point, sessionID: id }))
    },
    remove: (options) => engine.removeSession(id, options),
  }
}

/** Returns the id of a session, which is a new one for the input of a session. Throws NotFoundError for an invalid id. */
export function sessionIDOf(engine: Engine, session: Parameters<Engine["session"]>[0]): SessionID {
  if (typeof session !== "string") return "id" in session ? session.id : engine.draftSession(session).id
  if (isSessionID(session)) return session
  throw new NotFoundError(`"${session}" is not the id of a session: it begins with "ses_".`)
}

function withText(result: RunResult): SessionResult {
  const answer = "answer" in result ? result.answer : undefined
  return { ...result, text: answer ? answerText(answer) : "" }
}
