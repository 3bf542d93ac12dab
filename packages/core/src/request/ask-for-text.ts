import { readAnswer, type TextAnswer } from "./read-answer.ts"
import type { MessageID } from "../base/ids.ts"
import type { Model, ModelRequest } from "../contracts/model.ts"
import { judgeReport } from "../measure/judge-report.ts"
import { inputTokens } from "../measure/measured-request.ts"
import { billOf } from "../usage/answer-bill.ts"
import type { AskModel } from "./ask-model.ts"
import type { Budget } from "../budget/budget.ts"
import { brokenOff, bytesOf, estimateOfText } from "../usage/estimate.ts"
import type { LimitReached } from "../budget/limits.ts"
import type { Spent } from "../record/spent.ts"

/** A request that was not made, as a limit of the run was reached. */
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
  /** The message that the bill is for. */
  readonly payer: MessageID
  /** Told of what it took before it resolves, or rejects. */
  readonly onSpent: (spent: Spent) => void
}

/** One answer besides those of the conversation, paid for. Rejects with LimitError where the run may take no more. */
export async function askForText(
  deps: { readonly askModel: AskModel },
  { model, request, budget, payer, onSpent }: TextQuestion,
  signal: AbortSignal,
): Promise<TextAnswer> {
  const bytes = bytesOf(request)
  const estimate = estimateOfText(bytes, request, model.info)
  const asked = await budget.ask(estimate, signal)
  if (asked.type !== "asked") throw new LimitError(asked)
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
    const bill = spent ?? brokenOff(estimate, received, model.info)
    asked.pay(payer, bill)
    asked.over()
    onSpent(bill)
  }
}
