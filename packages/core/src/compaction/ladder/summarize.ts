import { setTimeout as sleep } from "node:timers/promises"
import { messageOf, ProviderError } from "../../base/errors.ts"
import type { SessionID } from "../../base/ids.ts"
import type { Model, ModelMessage, ModelRequest } from "../../contracts/model.ts"
import { askForText } from "../../request/ask-for-text.ts"
import type { AskModel } from "../../request/ask-model.ts"
import type { Budget } from "../../budget/budget.ts"
import type { MessageID } from "../../base/ids.ts"
import type { MessageWithParts } from "../../record/message.ts"
import { defaultRetry, retryDecision } from "../../request/retry.ts"
import { addSpent, nothingSpent, type Spent } from "../../record/spent.ts"
import { extractSummary } from "./extract.ts"
import { flatten } from "./flatten.ts"
import { planChunks } from "./plan-chunks.ts"
import { quotedInstruction, summaryInstruction, SUMMARIZER_PROMPT, type SummaryPrompt } from "./summary-prompt.ts"
import { summaryProblem } from "./validate-summary.ts"

export interface SummarizeInput {
  readonly sessionID: SessionID
  readonly model: Model
  /** Messages to replace, in the order of the request, without those that an earlier compaction left. */
  readonly messages: readonly MessageWithParts[]
  /** The earlier summary before these messages. */
  readonly prior: string | undefined
  readonly prompt: SummaryPrompt
  /** Maximum tokens of the summary. */
  readonly budget: number
  /** Maximum tokens of a call. */
  readonly limit: number
  /** Tokens of the summarized messages. */
  readonly source: number
  /**
   * The conversation's request up to the tail, without media. The provider has it in its cache. Set if the same model
   * summarizes and the request fits into `limit`.
   */
  readonly conversation: Pick<ModelRequest, "system" | "tools" | "messages"> | undefined
  readonly tokensOf: (text: string) => number
  /** Resolves with whether another model call may be made. If so, the call has been counted durably. */
  readonly mayCall: () => Promise<boolean>
  readonly runBudget: Pick<Budget, "ask">
  /** The message that is charged for the calls. */
  readonly messageID: MessageID
  /** Called with the usage of each call. */
  readonly onSpent: (spent: Spent) => void
  /** Runs the hooks on a request. `isQuoted`: the request has its own system prompt, which hooks have not seen yet. */
  readonly prepare: (request: ModelRequest, isQuoted: boolean) => Promise<ModelRequest>
  /** Returns the number of calls that may still be made. */
  readonly callsLeft: () => number
  readonly signal: AbortSignal
}

export interface SummaryResult {
  /** Missing if no model wrote a valid summary, for the `reason`. */
  readonly text?: string
  readonly reason?: string
  /** Usage of all calls. */
  readonly spent: Spent
}

/** Maximum wait before a call is retried. */
const MAX_WAIT_MS = 10_000
/** Tokens of the instruction and framing of a quoted conversation. */
const FRAME_TOKENS = 700

/** Summarizes all messages, with as many model calls as needed and allowed. Rejects only if the signal aborts. */
export async function summarize(deps: { readonly askModel: AskModel }, input: SummarizeInput): Promise<SummaryResult> {
  const { model, prompt, tokensOf, mayCall, signal } = input
  let spent = nothingSpent
  const onSpent = (bill: Spent) => {
    spent = addSpent(spent, bill)
    input.onSpent(bill)
  }
  let { limit } = input
  let problem = "no model call is left"
  let failed = 0

  async function ask(plain: ModelRequest, isQuoted: boolean): Promise<{ text: string; isCut: boolean } | undefined> {
    if (!(await mayCall())) return undefined
    try {
      const request = await input.prepare(plain, isQuoted)
      return await askForText(
        deps,
        { model, request, budget: input.runBudget, messageID: input.messageID, onSpent },
        signal,
      )
    } catch (error) {
      signal.throwIfAborted()
      problem = messageOf(error)
      if (!(error instanceof ProviderError)) return undefined
      // The summarizer's window is smaller than its info says.
      if (error.kind === "overflow") limit = Math.floor(limit / 2)
      else if (!(await mayAskAgain(error))) return undefined
      signal.throwIfAborted()
      return { text: "", isCut: false }
    }
  }

  /** Decides by the retry policy of steps, and waits. `mayCall` limits the number of calls. */
  async function mayAskAgain(problem: ProviderError): Promise<boolean> {
    const decision = retryDecision(problem, { failed: ++failed, elapsed: 0 }, defaultRetry, 0)
    if (decision.type === "give-up") return false
    await sleep(Math.min(decision.delay, MAX_WAIT_MS), undefined, { signal }).catch(() => {})
    return true
  }

  function check(answer: { text: string; isCut: boolean }): string | undefined {
    const { budget, source } = input
    const sections = prompt.prompt === undefined
    return summaryProblem({ ...answer, sections, budget, source, tokens: tokensOf(answer.text) })
  }

  const done = (text?: string): SummaryResult => ({
    ...(text === undefined ? { reason: problem } : { text: text.trim() }),
    spent,
  })

  if (input.conversation && input.callsLeft() > 0) {
    const question: ModelMessage = { role: "user", content: [{ type: "text", text: summaryInstruction(prompt) }] }
    const { conversation } = input
    const answer = await ask(request({ ...conversation, messages: [...conversation.messages, question] }), false)
    const wrong = answer && check(answer)
    if (answer && !wrong) return done(answer.text)
    if (wrong) problem = answer.text === "" ? problem : wrong
  }

  // Try again if the summary is invalid and calls are left.
  for (let attempt = 0; attempt < 2 && input.callsLeft() > 0; attempt++) {
    const answer = await quoted()
    if (!answer) break
    const wrong = check(answer)
    if (!wrong) return done(answer.text)
    if (answer.text !== "") problem = wrong
  }
  return done()

  /** Summarizes the conversation as quoted text, chunk by chunk. */
  async function quoted(): Promise<{ text: string; isCut: boolean } | undefined> {
    const blocks = input.messages.map((message) => flatten(message).join("\n\n"))
    const size = Math.max(200, limit - FRAME_TOKENS - input.budget)
    const calls = Math.max(1, input.callsLeft() - 1)
    const { chunks, left } = planChunks(blocks, { size, calls, tokensOf })
    let { prior } = input
    if (left > 0) {
      const messages = input.messages.slice(0, left)
      prior = extractSummary({ messages, prior, tokensOf, budget: input.budget })
    }
    let answer: { text: string; isCut: boolean } | undefined
    for (const chunk of chunks) {
      const text = quotedInstruction(prompt, chunk, prior)
      const messages: ModelMessage[] = [{ role: "user", content: [{ type: "text", text }] }]
      answer = await ask(request({ system: [SUMMARIZER_PROMPT], messages, tools: [] }), true)
      if (!answer || answer.text.trim() === "") return answer
      prior = answer.text
    }
    return answer
  }

  function request(prompt: Pick<ModelRequest, "system" | "tools" | "messages">): ModelRequest {
    // The prompt asks for fewer words, because a summary that is cut at this limit is invalid.
    const { output } = model.info.limit
    const settings = { maxOutputTokens: Math.min(input.budget * 2, output > 0 ? output : Infinity) }
    return { sessionID: input.sessionID, ...prompt, settings, headers: {} }
  }
}
