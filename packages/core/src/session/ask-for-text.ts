import { readAnswer, type TextAnswer } from "../context/compaction/read-answer.ts"
import type { Deadlines } from "../deadlines.ts"
import type { MessageID } from "../ids.ts"
import type { Model, ModelRequest } from "../provider/model.ts"
import { cost } from "../provider/usage.ts"
import type { Budget } from "./budget.ts"
import { brokenOff, estimateOfText } from "./estimate.ts"
import type { LimitReached } from "./limits.ts"
import type { Spent } from "./spent.ts"

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
  deps: { readonly deadlines: Pick<Deadlines, "firstEvent" | "idle"> },
  { model, request, budget, payer, onSpent }: TextQuestion,
  signal: AbortSignal,
): Promise<TextAnswer> {
  const estimate = estimateOfText(request, model.info)
  const asked = await budget.ask(estimate, signal)
  if (asked.type !== "asked") throw new LimitError(asked)
  let received = 0
  let spent: Spent | undefined
  try {
    const answer = await readAnswer(deps, model, request, signal, (length) => (received += length))
    spent = { requests: 1, tokens: answer.tokens, cost: cost(answer.tokens, model.info.cost) }
    return answer
  } finally {
    const bill = spent ?? brokenOff(estimate, received, model.info)
    asked.pay(payer, bill)
    asked.over()
    onSpent(bill)
  }
}
