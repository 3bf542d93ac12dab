import { setTimeout as sleep } from "node:timers/promises"
import { NotFoundError, QuestionClosedError } from "../base/errors.ts"
import type { EventBus } from "../contracts/events.ts"
import type { IDSource, PartID, SessionID } from "../base/ids.ts"
import { acquireSoon, busyError } from "../store/acquire-soon.ts"
import { rootOf } from "../store/ancestors.ts"
import { writeSession } from "../store/write.ts"
import type { Answer, AnswerPart, QuestionPart } from "../record/message.ts"
import type { Lease, Storage, Write } from "../contracts/storage.ts"
import { answerProblem } from "./answer-problem.ts"
import { publishClosed } from "./call-questions.ts"
import type { OpenQuestions } from "./open-questions.ts"
import { isOpen, readQuestion, type StoredQuestion } from "./find-question.ts"

export interface AnswerDeps {
  readonly storage: Storage
  readonly bus: EventBus
  readonly ids: IDSource
  readonly now: () => number
  readonly openQuestions: OpenQuestions
  /** Name of this engine in leases. */
  readonly owner: string
  readonly deadlines: { readonly lease: number }
}

export interface AnswerInput {
  readonly sessionID: SessionID
  readonly questionID: PartID
  readonly answer: Answer
}

/** Milliseconds between two checks of a session whose owner has to accept the answer. */
const POLL_MS = 250

/**
 * Answers an open question. Resolves once the answer is stored and accepted. Rejects with NotFoundError for an unknown
 * question, TypeError for an answer that does not fit it, QuestionClosedError if another answer came first, and
 * SessionBusyError if the process that runs the session does not accept the answer.
 */
export async function answerQuestion(deps: AnswerDeps, input: AnswerInput): Promise<void> {
  const { sessionID, questionID, answer } = input
  const open = deps.openQuestions.find(questionID)
  if (open) {
    if (open.part.sessionID !== sessionID) throw unknownQuestion(input)
    fitting(open.part, answer)
    if (!open.take(answer)) throw new QuestionClosedError(questionID, "it has just been answered here.")
    return open.closed
  }
  fitting((await readOpen(deps, input)).part, answer)
  if (await closeUnowned(deps, input)) return
  await handOver(deps, input)
}

function fitting(part: QuestionPart, answer: Answer): void {
  const problem = answerProblem(part, answer)
  if (problem !== undefined) throw new TypeError(problem)
}

function unknownQuestion({ sessionID, questionID }: AnswerInput): NotFoundError {
  return new NotFoundError(`Session ${sessionID} has no question ${questionID}.`)
}

async function readOpen({ storage }: AnswerDeps, input: AnswerInput): Promise<StoredQuestion> {
  const found = await readQuestion(storage, input.sessionID, input.questionID)
  if (!found) throw unknownQuestion(input)
  if (!isOpen(found)) throw new QuestionClosedError(input.questionID, closedBecause(found))
  return found
}

function closedBecause({ part }: StoredQuestion): string {
  const { answer, answerID } = part
  if (!answer) return "its call is over."
  if (answer.type === "dismissed") return `no answer is needed any more (${answer.reason})`
  const what = answer.type === "permission" ? answer.reply : answer.answers.flat().join(", ")
  return `already answered by ${answerID ?? "the process that asked"}: ${what}.`
}

/**
 * Closes the question if no process runs the session; the next run continues from there. Returns false if another
 * process holds the lease.
 */
async function closeUnowned(deps: AnswerDeps, input: AnswerInput, answerPartID?: PartID): Promise<boolean> {
  const { storage, deadlines } = deps
  const owner = `${deps.owner}:${deps.ids.other("answer")}`
  const lease = await acquireSoon(storage, input.sessionID, owner, deadlines.lease)
  if (!lease) return false
  try {
    await closeOwned(deps, input, lease, answerPartID)
    return true
  } finally {
    await lease.release().catch(() => undefined)
  }
}

async function closeOwned(deps: AnswerDeps, input: AnswerInput, lease: Lease, answerPartID?: PartID): Promise<void> {
  const { sessionID, questionID } = input
  // The owner may have closed it before it released the lease.
  const found = await readQuestion(deps.storage, sessionID, questionID)
  if (!found) throw unknownQuestion(input)
  if (!isOpen(found)) {
    if (answerPartID !== undefined && found.part.answerID === answerPartID) return
    throw new QuestionClosedError(questionID, closedBecause(found))
  }
  const first = found.answers.find((each) => answerProblem(found.part, each.answer) === undefined)
  const counting = first ?? { id: undefined, answer: input.answer }
  const closed = closings(deps, found, counting.answer, counting.id)
  const writes = closed.map((part): Write => ({ type: "part.put", part }))
  await writeSession(deps, sessionID, writes, lease)
  const rootSessionID = await rootOf(deps.storage, sessionID)
  for (const part of closed) publishClosed(deps.bus, part, rootSessionID)
  if (first && first.id !== answerPartID) throw new QuestionClosedError(questionID, `already answered by ${first.id}.`)
}

/** Returns the closed questions. A refusal without a hint refuses all questions of the session. */
function closings({ now }: AnswerDeps, { part, beside }: StoredQuestion, answer: Answer, id?: PartID): QuestionPart[] {
  const closed = (one: QuestionPart, value: Answer, answerID?: PartID): QuestionPart => {
    return { ...one, answer: value, ...(answerID ? { answerID } : {}), time: { ...one.time, closed: now() } }
  }
  const isEnd = answer.type === "permission" && answer.reply === "reject" && answer.message === undefined
  const others = isEnd ? beside.filter((one) => one.id !== part.id && one.time.closed === undefined) : []
  return [
    closed(part, answer, id),
    ...others.map((one) => {
      const refusal: Answer =
        one.about.type === "permission" ? answer : { type: "dismissed", reason: "Another question was refused." }
      return closed(one, refusal)
    }),
  ]
}

/** Stores the answer for the process that runs the session, and waits for that process to accept it. */
async function handOver(deps: AnswerDeps, input: AnswerInput): Promise<void> {
  const { storage, ids, now, deadlines } = deps
  const { sessionID, questionID, answer } = input
  const { part } = await readOpen(deps, input)
  const id = ids.part(questionID)
  const answerPart: AnswerPart = {
    ...{ id, sessionID, messageID: part.messageID, type: "answer", questionID, answer },
    time: { created: now() },
  }
  const waiting = new AbortController()
  const changes = storage.watch({ sessionID }, waiting.signal)[Symbol.asyncIterator]()
  let change = changes.next()
  change.catch(() => undefined)
  try {
    await storage.commit(sessionID, [{ type: "part.put", part: answerPart }])
    const until = performance.now() + 2 * deadlines.lease
    while (performance.now() < until) {
      const found = await readQuestion(storage, sessionID, questionID)
      if (!found) throw unknownQuestion(input)
      if (found.part.answerID === id) return
      if (!isOpen(found)) throw new QuestionClosedError(questionID, closedBecause(found))
      const pause = sleep(POLL_MS, "pause" as const, { signal: waiting.signal })
      pause.catch(() => undefined)
      const woken = await Promise.race([change, pause])
      if (woken !== "pause") change = changes.next()
      else if (await closeUnowned(deps, input, id)) return
    }
    throw await busyError(storage, sessionID)
  } finally {
    waiting.abort()
  }
}
