import { within } from "../base/deadlines.ts"
import { messageOf } from "../base/errors.ts"
import type { EventBus } from "../contracts/events.ts"
import type { IDSource, PartID, SessionID } from "../base/ids.ts"
import type { Journal } from "../store/journal.ts"
import type { Answer, QuestionPart, ToolPart } from "../record/message.ts"
import type { Approval } from "../permission/approvals.ts"
import { toChoiceRequest, toPermissionRequest } from "../contracts/ask.ts"
import type { OpenQuestion, OpenQuestions } from "./open-questions.ts"

export interface CallQuestionsDeps {
  readonly store: {
    readonly bus: EventBus
    readonly ids: IDSource
    readonly now: () => number
    readonly deadlines: { readonly question: number }
  }
  readonly calls: { readonly openQuestions: OpenQuestions }
}

/** The call that asks the user. */
export interface AskingCall {
  readonly sessionID: SessionID
  readonly rootSessionID: SessionID
  readonly agent: string
  readonly journal: Pick<Journal, "commit" | "stage">
  readonly signal: AbortSignal
  /** Returns the current part of the call. */
  readonly part: () => ToolPart
  /** Questions that the call asked before its process died. */
  readonly earlier: readonly QuestionPart[]
}

export interface Asking {
  readonly about: QuestionPart["about"]
  /** Asks the user of this process. Default: users of other processes may answer. */
  readonly callback?: ((part: QuestionPart, signal: AbortSignal) => Promise<Answer>) | undefined
  readonly isCovered?: (approvals: readonly Approval[]) => boolean
  /** Returns the current approvals: another call may have been answered before this one asks. */
  readonly approvals?: () => Promise<readonly Approval[]>
}

/** The outcome of a question. `late`: the deadline has passed. */
export type QuestionOutcome = Answer | { readonly type: "late"; readonly reason: string }

/** The questions of one call. Each is stored before a user sees it. */
export interface CallQuestions {
  /** Returns the equal question of a call that continues after a crash, if any. */
  earlier(about: QuestionPart["about"]): QuestionPart | undefined
  /**
   * Asks, unless an equal question was answered before a crash. The first answer counts; its part is staged, to be
   * committed with the next writes. Once the signal aborts, the question is dismissed, and this rejects with the
   * signal's reason.
   */
  ask(asking: Asking): Promise<QuestionOutcome>
  /** Closes an earlier question that no longer needs an answer. */
  withdraw(question: QuestionPart, answer: Answer): void
  /** True if answers are staged that were not announced yet. */
  readonly isOwing: boolean
  /** Announces the answers that are stored by now, or the reason why they cannot be stored. */
  tell(error?: Error): void
}

export function createCallQuestions(
  { store: { bus, ids, now, deadlines }, calls: { openQuestions } }: CallQuestionsDeps,
  call: AskingCall,
): CallQuestions {
  const { journal, rootSessionID, agent, signal } = call
  const earlier = [...call.earlier]
  let owed: { readonly part: QuestionPart; readonly open?: OpenQuestion }[] = []
  let isStored = earlier.length > 0

  async function store(about: QuestionPart["about"]): Promise<QuestionPart> {
    const tool = call.part()
    const { callID, sessionID, messageID } = tool
    const id = ids.part(tool.id)
    const part: QuestionPart = { id, sessionID, messageID, type: "question", callID, about, time: { created: now() } }
    const isNew = tool.state.status === "pending" && !isStored
    isStored = true
    await journal.commit([...(isNew ? [{ type: "part.put", part: tool } as const] : []), { type: "part.put", part }])
    // This commit also stored staged answers to earlier questions.
    tell()
    return part
  }

  function close(part: QuestionPart, answer: Answer, answerID?: PartID, open?: OpenQuestion): void {
    const closed = { ...part, answer, ...(answerID ? { answerID } : {}), time: { ...part.time, closed: now() } }
    journal.stage([{ type: "part.put", part: closed }])
    owed.push({ part: closed, ...(open ? { open } : {}) })
  }

  async function waitForAnswer(open: OpenQuestion, { callback }: Asking): Promise<QuestionOutcome> {
    const answered = new AbortController()
    const seconds = deadlines.question / 1000
    const late = new Error(`was not answered within ${seconds} s`)
    let isLate = false
    if (!open.isTaken()) {
      void callback?.(open.part, AbortSignal.any([signal, answered.signal])).then((answer) => open.take(answer))
    }
    try {
      await within(deadlines.question, open.taken, () => late, signal)
    } catch (error) {
      const reason = error === late ? `It ${late.message}.` : "The run was aborted."
      isLate = open.take({ type: "dismissed", reason }) && error === late
    } finally {
      answered.abort()
    }
    const { answer, answerID } = await open.taken
    close(open.part, answer, answerID, open)
    return isLate ? { type: "late", reason: late.message } : answer
  }

  function tell(error?: Error): void {
    const pending = owed
    owed = []
    for (const { part, open } of pending) {
      if (!error) publishClosed(bus, part, rootSessionID)
      open?.end(error)
    }
  }

  return {
    earlier: (about) => earlier.find((part) => isSame(part.about, about)),
    async ask(asking) {
      signal.throwIfAborted()
      const at = earlier.findIndex((part) => isSame(part.about, asking.about))
      const known = at < 0 ? undefined : earlier.splice(at, 1)[0]
      if (known?.answer) return known.answer
      const part = known ?? (await store(asking.about))
      const { isCovered = () => false, approvals } = asking
      const open = openQuestions.open({ part, rootSessionID, agent, isCovered })
      announce(bus, part, rootSessionID)
      // Later approvals find the question open.
      if (approvals && isCovered(await approvals().catch(() => []))) open.take({ type: "permission", reply: "always" })
      const answer = await waitForAnswer(open, asking)
      signal.throwIfAborted()
      return answer
    },
    withdraw(question, answer) {
      const at = earlier.indexOf(question)
      if (at >= 0) earlier.splice(at, 1)
      if (question.answer === undefined) close(question, answer)
    },
    get isOwing() {
      return owed.length > 0
    },
    tell,
  }
}

function announce(bus: EventBus, part: QuestionPart, rootSessionID: SessionID): void {
  const permission = toPermissionRequest(part, rootSessionID)
  if (permission) bus.publish("permission.asked", permission)
  const choice = toChoiceRequest(part, rootSessionID)
  if (choice) bus.publish("question.asked", choice)
}

/** Announces a question that is stored with its answer. */
export function publishClosed(bus: EventBus, part: QuestionPart, rootSessionID: SessionID): void {
  const { id, sessionID, answer, about } = part
  const of = { sessionID, rootSessionID, requestID: id }
  if (about.type === "permission") {
    bus.publish("permission.replied", { ...of, reply: answer?.type === "permission" ? answer.reply : "reject" })
  } else if (answer?.type === "choice") bus.publish("question.replied", { ...of, answers: answer.answers })
  else bus.publish("question.rejected", of)
}

/** Returns whether two questions are equal and refer to the same directory. Other details for the user may differ. */
function isSame(one: QuestionPart["about"], other: QuestionPart["about"]): boolean {
  if (one.type === "permission" && other.type === "permission") {
    const isSamePlace = one.directory === other.directory
    return one.permission === other.permission && isSamePlace && isEqual(one.patterns, other.patterns)
  }
  return one.type === "choice" && other.type === "choice" && isEqual(one.questions, other.questions)
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Returns the answer of a callback. A callback that fails has also answered. */
export function answerOrElse(ask: () => Promise<Answer>, otherwise: (error: unknown) => Answer): Promise<Answer> {
  return (async () => ask())().catch((error: unknown) => otherwise(error))
}

export function dismissal(error: unknown): Answer {
  return { type: "dismissed", reason: messageOf(error) }
}
