import { readAnswer, type TextAnswer } from "./read-answer.ts"
import type { MessageID } from "../base/ids.ts"
import { lazy } from "../base/lazy.ts"
import type { Model, ModelRequest } from "../contracts/model.ts"
import { judgeReport } from "../measure/judge-report.ts"
import { inputTokens } from "../measure/measured-request.ts"
import { billOf } from "../usage/answer-bill.ts"
import type { AskModel } from "./ask-model.ts"
import type { Budget } from "../budget/budget.ts"
import { brokenOff, bytesOf, estimateOfText } from "../usage/estimate.ts"
import type { LimitReached } from "../budget/limits.ts"
import type { Spent } from "../record/spent.ts"

/** Thrown if a request was not made, because a limit of the run is reached. */
export class LimitError extends Error {
  override readonly name = "LimitError"
  readonly reached: LimitReached
  constructor(reached: LimitReached) {
    super(`The model was not asked: a limit of the run is reached (${reached.type}).`)
    this.reached = reached
  }
}

export interface TextQuestion {
  readonly model: Model
  readonly request: ModelRequest
  readonly budget: Pick<Budget, "ask">
  /** The message that is charged for the answer. */
  readonly messageID: MessageID
  /** Called with the usage before the promise settles. */
  readonly onSpent: (spent: Spent) => void
}

/**
 * Asks for an answer outside of the conversation, and charges it. Rejects with LimitError if a limit of the run is
 * reached.
 */
export async function askForText(
  deps: { readonly askModel: AskModel },
  { model, request, budget, messageID, onSpent }: TextQuestion,
  signal: AbortSignal,
): Promise<TextAnswer> {
  const bytes = bytesOf(request)
  const estimate = lazy(() => estimateOfText(bytes, request, model.info))
  const reservation = await budget.ask(estimate, signal)
  if (reservation.type !== "reserved") throw new LimitError(reservation)
  let received = 0
  let spent: Spent | undefined
  try {
    const answer = await readAnswer(deps, model, request, signal, (length) => (received += length))
    const reported = answer.tokens
    const sent = { bytes, media: 0, basis: undefined, isCut: true, maxOutput: 0 }
    const judgement = judgeReport({ ...sent, reported: inputTokens(reported) })
    spent = billOf({ reported, judgement, bytes, estimate, received }, model.info)
    return answer
  } finally {
    const bill = spent ?? brokenOff(estimate(), received, model.info)
    reservation.pay(messageID, bill)
    reservation.release()
    onSpent(bill)
  }
}
