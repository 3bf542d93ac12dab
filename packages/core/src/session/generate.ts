import { readAnswer } from "../context/compaction/read-answer.ts"
import type { Deadlines } from "../deadlines.ts"
import type { SessionID } from "../ids.ts"
import type { Model } from "../provider/model.ts"
import { cost } from "../provider/usage.ts"
import type { Generated, GenerateRequest } from "../tool/tool.ts"
import type { Budget, LimitReached } from "./limits.ts"
import { type RequestAbout, type RequestHooks, withRequestHooks } from "./request-hooks.ts"
import { type Waiting, whileAlive } from "./while-alive.ts"

/** Answers that the calls of a step have the session's model give. */
export interface Generator {
  /** Rejects with LimitError where the run may take no more, and with ProviderError. The caller's signs of life are kept up. */
  generate(request: GenerateRequest, caller: Waiting & { readonly signal: AbortSignal }): Promise<Generated>
  /** US dollars of all so far. */
  readonly cost: number
}

/** A request that was not made, as a limit of the run was reached. */
export class LimitError extends Error {
  override readonly name = "LimitError"
  readonly reached: LimitReached
  constructor(reached: LimitReached) {
    super(`The model was not asked: a limit of the run is reached (${reached.type}).`)
    this.reached = reached
  }
}

export interface GeneratorOf {
  readonly sessionID: SessionID
  /** Of the step: hooks are told of them. */
  readonly asked: Pick<RequestAbout, "rootSessionID" | "agent" | "message">
  readonly model: Model
  readonly budget: Pick<Budget, "enter" | "pay">
}

export function createGenerator(
  deps: { readonly deadlines: Pick<Deadlines, "firstEvent" | "idle">; readonly hooks: RequestHooks },
  { sessionID, asked, model, budget }: GeneratorOf,
): Generator {
  let spent = 0

  async function answer(request: GenerateRequest, signal: AbortSignal): Promise<Generated> {
    const { system, messages, maxOutputTokens, temperature } = request
    const entered = await budget.enter(signal)
    if (entered.type !== "entered") throw new LimitError(entered)
    try {
      const settings = {
        ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
        ...(temperature === undefined ? {} : { temperature }),
      }
      const plain = { sessionID, system: system === undefined ? [] : [system], tools: [], headers: {}, settings }
      const told = messages.map(({ role, content }) => ({ role, content }) as never)
      const about = { sessionID, ...asked, model: model.ref }
      const hooked = await withRequestHooks(deps.hooks, about, { ...plain, messages: told }, signal)
      const { text, tokens, finish } = await readAnswer(deps, model, hooked, signal)
      const paid = cost(tokens, model.info.cost)
      spent += paid
      budget.pay(paid)
      entered.answered()
      return { text, finish, model: model.ref }
    } finally {
      entered.leave()
    }
  }

  return {
    generate: (request, { signal, ...waiting }) => whileAlive(waiting, () => answer(request, signal)),
    get cost() {
      return spent
    },
  }
}
