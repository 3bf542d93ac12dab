import type { IDSource, MessageID, SessionID } from "../base/ids.ts"
import type { Model, ResponseFormat } from "../contracts/model.ts"
import type { Generated, GenerateRequest } from "../contracts/tool.ts"
import { askForText, LimitError } from "../request/ask-for-text.ts"
import type { AskModel } from "../request/ask-model.ts"
import type { Budget } from "../budget/budget.ts"
import { type RequestAbout, type RequestHooks, withRequestHooks } from "../request/request-hooks.ts"
import { addSpent, nothingSpent, type Spent } from "../record/spent.ts"
import { structuredAnswer } from "./structured-answer.ts"
import type { UsagePart } from "../record/message.ts"
import { usagePart } from "../usage/usage-part.ts"
import { type Waiting, whileAlive } from "../base/while-alive.ts"

/** Makes the session's model answer the calls of a step. */
export interface Generator {
  /**
   * Asks the model. Signals the caller's progress meanwhile. Rejects with LimitError if a limit of the run is reached,
   * with ProviderError, and with StructuredOutputError.
   */
  generate(request: GenerateRequest, caller: GeneratorCaller): Promise<Generated>
  /** Usage of all answers so far. */
  readonly spent: Spent
  /** Usage parts of the answers, for the message of the step. */
  readonly bills: readonly UsagePart[]
}

export interface GeneratorCaller extends Waiting {
  readonly signal: AbortSignal
  readonly messageID: MessageID
  readonly callID: string
}

export interface GeneratorOf {
  readonly sessionID: SessionID
  /** Facts about the step, for hooks. */
  readonly asked: Pick<RequestAbout, "rootSessionID" | "agent" | "message">
  readonly model: Model
  readonly budget: Pick<Budget, "enter" | "ask">
}

export interface GeneratorDeps {
  readonly hooks: RequestHooks
  readonly store: { readonly ids: IDSource; readonly now: () => number }
  readonly models: { readonly askModel: AskModel }
}

export function createGenerator(deps: GeneratorDeps, { sessionID, asked, model, budget }: GeneratorOf): Generator {
  const bills: UsagePart[] = []
  let spent = nothingSpent

  async function answer(
    request: GenerateRequest,
    caller: GeneratorCaller,
    responseFormat?: ResponseFormat,
  ): Promise<Generated> {
    const { system, messages, maxOutputTokens, temperature } = request
    const { signal, messageID, callID } = caller
    const entered = await budget.enter(signal)
    if (entered.type !== "entered") throw new LimitError(entered)
    try {
      const settings = {
        ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
        ...(temperature === undefined ? {} : { temperature }),
      }
      const form = responseFormat ? { responseFormat } : {}
      const written = system === undefined ? [] : [system]
      const plain = { sessionID, system: written, tools: [], headers: {}, settings, ...form }
      const copies = messages.map(({ role, content }) => ({ role, content }) as never)
      const about = { sessionID, ...asked, model: model.ref }
      const hooked = await withRequestHooks(deps.hooks, about, { ...plain, messages: copies }, signal)
      const onSpent = (bill: Spent) => {
        spent = addSpent(spent, bill)
        const by = { purpose: "tool", callID, agent: asked.agent, model: model.ref } as const
        bills.push(usagePart(deps.store, { sessionID, messageID, ...by }, bill))
      }
      const { text, finish } = await askForText(
        deps.models,
        { model, request: hooked, budget, payer: messageID, onSpent },
        signal,
      )
      entered.answered()
      return { text, finish, model: model.ref }
    } finally {
      entered.leave()
    }
  }

  function formed(request: GenerateRequest, caller: GeneratorCaller): Promise<Generated> {
    const { schema } = request
    if (schema === undefined) return answer(request, caller)
    const hasOwnMeans = model.info.capabilities.structuredOutput === true
    return structuredAnswer((asked, format) => answer(asked, caller, format), { ...request, schema }, hasOwnMeans)
  }

  return {
    generate: (request, caller) => whileAlive(caller, () => formed(request, caller)),
    get spent() {
      return spent
    },
    bills,
  }
}
