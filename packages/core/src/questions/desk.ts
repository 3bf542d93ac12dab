import { messageOf } from "../base/errors.ts"
import type { EventBus } from "../contracts/events.ts"
import type { PartID, SessionID } from "../base/ids.ts"
import type { Answer, QuestionPart } from "../record/message.ts"
import type { Storage } from "../contracts/storage.ts"
import type { Approval } from "../permission/approvals.ts"
import { answerProblem } from "../contracts/ask.ts"
import { followAnswers } from "./incoming-answers.ts"

/** A question that waits here for its answer. */
export interface NewQuestion {
  /** As it is stored. */
  readonly part: QuestionPart
  readonly rootSessionID: SessionID
  readonly agent: string
  /** Whether this is allowed once these are approved. */
  readonly isCovered: (approvals: readonly Approval[]) => boolean
}

export interface TakenAnswer {
  readonly answer: Answer
  /** The part that it came in. */
  readonly answerID?: PartID
}

export interface OpenQuestion extends NewQuestion {
  /** The first answer counts: false where there is one already. */
  take(answer: Answer, answerID?: PartID): boolean
  isTaken(): boolean
  readonly taken: Promise<TakenAnswer>
  /** Settled by `end`. */
  readonly closed: Promise<void>
  /** It is stored with its answer, or cannot be stored. */
  end(error?: Error): void
}

/** The questions that are open in one engine. While there are any of a session, answers of other processes are read. */
export interface QuestionDesk {
  open(question: NewQuestion): OpenQuestion
  find(id: string): OpenQuestion | undefined
  /** A person wants the session to stop. */
  rejectAll(sessionID: SessionID): void
  /** Answers what is allowed now with `always`. */
  allowCovered(rootSessionID: SessionID, agent: string, approvals: readonly Approval[]): void
}

export interface QuestionDeskDeps {
  readonly storage: Pick<Storage, "watch" | "readContext" | "readChanges">
  readonly bus: EventBus
}

/** Milliseconds before answers of other processes are looked for: programs that answer by themselves are quicker. */
const HEAD_START = 20

export function createQuestionDesk({ storage, bus }: QuestionDeskDeps): QuestionDesk {
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
      const timer = setTimeout(() => void listen(sessionID, controller.signal), HEAD_START)
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
      // Whoever answers from elsewhere waits for it; mostly nobody does.
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
