import { messageOf } from "../base/errors.ts"
import type { EventBus } from "../contracts/events.ts"
import type { PartID, SessionID } from "../base/ids.ts"
import type { Answer, QuestionPart } from "../record/message.ts"
import type { Storage } from "../contracts/storage.ts"
import type { Approval } from "../permission/approvals.ts"
import { answerProblem } from "./answer-problem.ts"
import { followAnswers } from "./incoming-answers.ts"

/** A question that waits for its answer in this engine. */
export interface NewQuestion {
  /** The stored question. */
  readonly part: QuestionPart
  readonly rootSessionID: SessionID
  readonly agent: string
  /** Returns whether the approvals allow the call. */
  readonly isCovered: (approvals: readonly Approval[]) => boolean
}

export interface TakenAnswer {
  readonly answer: Answer
  /** The part with the answer. */
  readonly answerID?: PartID
}

export interface OpenQuestion extends NewQuestion {
  /** Accepts an answer. The first one counts; returns false if there is one already. */
  take(answer: Answer, answerID?: PartID): boolean
  isTaken(): boolean
  readonly taken: Promise<TakenAnswer>
  /** Settled by `end`. */
  readonly closed: Promise<void>
  /** Called once the question is stored with its answer, or cannot be stored. */
  end(error?: Error): void
}

/** The open questions of one engine. While a session has any, answers of other processes are read. */
export interface OpenQuestions {
  open(question: NewQuestion): OpenQuestion
  find(id: string): OpenQuestion | undefined
  /** Refuses all questions, because the user wants the session to stop. */
  rejectAll(sessionID: SessionID): void
  /** Answers questions that are allowed now with `always`. */
  allowCovered(rootSessionID: SessionID, agent: string, approvals: readonly Approval[]): void
}

export interface OpenQuestionsDeps {
  readonly storage: Pick<Storage, "watch" | "readContext" | "readChanges">
  readonly bus: EventBus
}

/** Milliseconds before answers of other processes are read: programs that answer automatically are faster. */
const HEAD_START_MS = 20

export function createOpenQuestions({ storage, bus }: OpenQuestionsDeps): OpenQuestions {
  const waiting = new Map<string, OpenQuestion>()
  const followed = new Map<SessionID, { count: number; readonly controller: AbortController }>()

  async function listen(sessionID: SessionID, signal: AbortSignal): Promise<void> {
    try {
      await followAnswers(storage, sessionID, signal, ({ id, questionID, answer }) => {
        const question = waiting.get(questionID)
        if (question && answerProblem(question.part, answer) === undefined) question.take(answer, id)
      })
    } catch (error) {
      if (signal.aborted) return
      const message = `Answers of other processes cannot be read: ${messageOf(error)}`
      bus.publish("session.notice", { sessionID, message })
    }
  }

  function follow(sessionID: SessionID): () => void {
    let entry = followed.get(sessionID)
    if (!entry) {
      const controller = new AbortController()
      followed.set(sessionID, (entry = { count: 0, controller }))
      const timer = setTimeout(() => void listen(sessionID, controller.signal), HEAD_START_MS)
      controller.signal.addEventListener("abort", () => clearTimeout(timer), { once: true })
    }
    const own = entry
    own.count++
    return () => {
      if (--own.count > 0) return
      own.controller.abort()
      followed.delete(sessionID)
    }
  }

  return {
    find: (id) => waiting.get(id),
    open(question) {
      const { part } = question
      const { promise: taken, resolve: give } = Promise.withResolvers<TakenAnswer>()
      const { promise: closed, resolve, reject } = Promise.withResolvers<void>()
      // Answers through the engine wait for `closed`. Usually no caller does.
      closed.catch(() => undefined)
      const unfollow = follow(part.sessionID)
      let isTaken = false
      const open: OpenQuestion = {
        ...question,
        ...{ taken, closed },
        isTaken: () => isTaken,
        take(answer, answerID) {
          if (isTaken) return false
          isTaken = true
          unfollow()
          give({ answer, ...(answerID === undefined ? {} : { answerID }) })
          return true
        },
        end(error) {
          waiting.delete(part.id)
          if (error) reject(error)
          else resolve()
        },
      }
      waiting.set(part.id, open)
      return open
    },
    rejectAll(sessionID) {
      for (const question of waiting.values()) {
        if (question.part.sessionID !== sessionID) continue
        if (question.part.about.type === "permission") question.take({ type: "permission", reply: "reject" })
        else
          question.take({ type: "dismissed", reason: "Another question of the session was answered with a refusal." })
      }
    },
    allowCovered(rootSessionID, agent, approvals) {
      for (const question of waiting.values()) {
        if (question.rootSessionID !== rootSessionID || question.agent !== agent) continue
        if (question.isCovered(approvals)) question.take({ type: "permission", reply: "always" })
      }
    },
  }
}
