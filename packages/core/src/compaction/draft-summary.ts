import type { Kept } from "./ladder/candidate.ts"
import { callLimit, INSTRUCTION_TOKENS, madeRoom, MOST_CALLS } from "./ladder/limits.ts"
import type { CompactionRecord } from "../record/compaction-record.ts"
import { stateOf } from "./ladder/state.ts"
import { stripMedia } from "./ladder/strip-media.ts"
import { summarize, type SummarizeInput, type SummaryResult } from "./ladder/summarize.ts"
import { summaryProblem } from "./ladder/validate-summary.ts"
import { calibrationOf } from "../measure/calibration.ts"
import { totalBytes } from "../measure/measure.ts"
import type { HookInput, HookOutput } from "../contracts/hooks.ts"
import type { OutputFacts } from "../contracts/output-facts.ts"
import type { IDSource } from "../base/ids.ts"
import type { Model, ModelRequest } from "../contracts/model.ts"
import type { AskModel } from "../request/ask-model.ts"
import { divideContext, type Division, keepBesides } from "./divide-context.ts"
import type { History } from "../store/history.ts"
import type { Journal } from "../store/journal.ts"
import type { MessageWithParts, ModelRef } from "../record/message.ts"
import type { Checked, PreflightDeps } from "../request/preflight.ts"
import { withRequestHooks, withSettings } from "../request/request-hooks.ts"
import { addSpent, allTokens, nothingSpent, type Spent } from "../record/spent.ts"
import { usagePart } from "../usage/usage-part.ts"
import type { RunScene } from "../tool-call/run-handles.ts"

export interface DraftDeps extends PreflightDeps {
  readonly outputFacts: OutputFacts
  readonly ids: IDSource
  readonly now: () => number
  readonly askModel: AskModel
  readonly findModel: (ref: ModelRef) => Promise<Model>
}

/** The agent that writes summaries. */
const SUMMARIZER = "compaction"

export type CompactingReason = HookInput<"session.compacting">["reason"]

/** Input of a compaction. */
export interface CompactionInput {
  readonly scene: RunScene
  readonly journal: Journal
  readonly history: History
  readonly record: CompactionRecord
  readonly reason: CompactingReason
  /** The next request without a compaction. */
  readonly checked: Checked
  /** Tokens that the request may have. */
  readonly usable: number
  readonly signal: AbortSignal
  /** Set if the run ends after the compaction, so the agent does not continue. */
  readonly isLast: boolean
}

/** Plan of a compaction, from which the rungs of the ladder choose. */
export interface Draft extends Pick<Division, "prior" | "budget" | "tokensOf" | "unread"> {
  /** All messages that are not from an earlier compaction. */
  readonly talk: readonly MessageWithParts[]
  /** Messages to replace. */
  readonly head: readonly MessageWithParts[]
  readonly kept: Kept
  /** Characters that fit if only the open requests are left. */
  readonly longestRequest: number
  readonly summary: SummaryResult
  /** The model of the summary. */
  readonly model: ModelRef
  /** The compaction, including the count of its calls. */
  readonly record: CompactionRecord
}

/**
 * Chooses the messages that stay, asks the hooks, and summarizes the rest: by a hook, or by a model if calls are left.
 * Resolves with undefined if a hook skips the compaction and may do so.
 */
export async function draftSummary(
  deps: DraftDeps,
  input: CompactionInput,
  isSkippable: boolean,
): Promise<Draft | undefined> {
  const { scene, record } = input
  const model = await findSummarizer(deps, scene)
  const window = model.info.limit.input || model.info.limit.context
  const division = divideContext(deps, {
    ...input,
    model: scene.model,
    summarizerWindow: window,
    isEarly: input.reason === "soft",
  })
  const output = await askHooks(deps, input, division)
  if (output.skip && isSkippable) return undefined
  const kept = keepBesides(division, output.keep ?? [])
  const head = division.head.filter((message) => !kept.ids.includes(message.info.id))
  const { prior, budget, tokensOf, longestRequest, unread } = division
  const talk = [...division.head, ...division.tail]
  const draft = { talk, head, prior, budget, tokensOf, kept, longestRequest, unread }
  const source = head.reduce((sum, each) => sum + division.sizeOf(each), prior === undefined ? 0 : tokensOf(prior))
  const hookSummary = validHookSummary(output.summary, { tokensOf, budget, source })
  if (hookSummary !== undefined) return { ...draft, model: model.ref, summary: hookSummary, record }
  if (isHopeless(input, kept, source)) {
    return {
      ...draft,
      model: model.ref,
      summary: { reason: "no summary could make enough room", spent: nothingSpent },
      record,
    }
  }
  const calls = countCalls(input)
  const bill = collectBill(deps, input, model.ref)
  const left = new Set(division.lead.map(({ info }) => info.id))
  const seen = await asSent(deps, input, [...division.lead, ...head])
  const summaryInput: SummarizeInput = {
    ...{ sessionID: record.marker.info.sessionID, model, prior, budget, source, tokensOf },
    messages: seen.filter(({ info }) => !left.has(info.id)),
    ...{ limit: callLimit(window), callsLeft: calls.left, mayCall: calls.mayCall, signal: input.signal },
    prepare: (request, isQuoted) => prepared(deps, input, model, request, isQuoted),
    conversation: conversationOf(deps, input, model, { seen, kept, source }),
    prompt: {
      ...{ context: output.context, words: Math.round(budget * 0.6) },
      ...(output.prompt === undefined ? {} : { prompt: output.prompt }),
      ...(record.part.focus === undefined ? {} : { focus: record.part.focus }),
    },
    ...{ runBudget: scene.budget, payer: record.marker.info.id, onSpent: bill.add },
  }
  const summary = await summarize(deps, summaryInput).catch((error: unknown) => {
    bill.keep()
    throw error
  })
  return { ...draft, model: model.ref, summary, record: { ...record, part: calls.part() } }
}

/** Returns whether even an empty summary would not make room, so that no model is paid for a summary. */
function isHopeless({ record, reason, checked, history, scene, usable }: CompactionInput, kept: Kept, source: number) {
  if (!record.part.auto || reason === "soft" || kept.ids.length > 0) return false
  const { bytesPerToken } = calibrationOf(history.messages, scene.model.ref)
  // The next request after a compaction is estimated without the provider's earlier counts, so do the same here.
  const whole = totalBytes(checked.size) / bytesPerToken + checked.size.media
  return !madeRoom(checked.expected.tokens, whole - source, usable)
}

/** Runs the request hooks, for the agent `compaction`. */
function prepared(
  { hooks }: DraftDeps,
  { scene, record: { marker }, signal }: CompactionInput,
  model: Model,
  request: ModelRequest,
  isQuoted: boolean,
): Promise<ModelRequest> {
  const about = { sessionID: marker.info.sessionID, rootSessionID: scene.rootSessionID, agent: SUMMARIZER }
  const hooked = isQuoted ? withRequestHooks : withSettings
  return hooked(hooks, { ...about, model: model.ref, message: marker.info }, request, signal)
}

/** Returns the model that writes summaries. Falls back to the conversation's model. */
async function findSummarizer({ findModel }: DraftDeps, { summaryModel, model }: RunScene): Promise<Model> {
  return summaryModel ? findModel(summaryModel).catch(() => model) : model
}

async function askHooks(
  { hooks, arrange, outputFacts }: DraftDeps,
  { scene, history, reason, checked, usable, signal }: CompactionInput,
  { head, tail, budget }: Division,
): Promise<HookOutput<"session.compacting">> {
  if (!hooks.has("session.compacting")) return { context: [] }
  const { talk } = arrange(history.messages)
  const { ledger } = stateOf(outputFacts, history.messages, talk, new Set(tail.map(({ info }) => info.id)))
  const about = {
    ...{ sessionID: history.session.id, rootSessionID: scene.rootSessionID },
    ...{ agent: scene.agent, model: scene.model.ref, reason, budget },
    ...{ directory: scene.directory, worktree: scene.worktree },
    messageIDs: head.map(({ info }) => info.id),
    ledger: { ...ledger },
    usage: { tokens: checked.expected.tokens, usable },
  }
  return hooks.transform("session.compacting", about, { context: [] }, signal)
}

/** Returns the summary of a hook if it is valid. The checks are those of a model's summary, except for headings. */
function validHookSummary(
  text: string | undefined,
  { tokensOf, budget, source }: { tokensOf: (text: string) => number; budget: number; source: number },
): SummaryResult | undefined {
  if (text === undefined) return undefined
  const problem = summaryProblem({ text, sections: false, tokens: tokensOf(text), budget, source, isCut: false })
  return problem === undefined ? { text: text.trim(), spent: nothingSpent } : undefined
}

/** Returns the conversation as the provider has it in its cache, if the same model can read it in one call. */
function conversationOf(
  { modelMessages }: DraftDeps,
  { scene, checked }: CompactionInput,
  { ref, info }: Model,
  { seen, kept, source }: { seen: readonly MessageWithParts[]; kept: Kept; source: number },
) {
  const isSame = ref.providerID === scene.model.ref.providerID && ref.modelID === scene.model.ref.modelID
  const { system, tools } = checked.expected
  const limit = callLimit(info.limit.input || info.limit.context)
  if (!isSame || kept.ids.length > 0 || system + tools + source + INSTRUCTION_TOKENS > limit) return undefined
  const messages = modelMessages(seen, ref).map((message) => stripMedia(message))
  return { ...checked.prompt, messages }
}

/** Applies the transformations of plugins to the messages, as for other requests. Plugins may leave messages out. */
async function asSent(
  { hooks }: DraftDeps,
  { scene, history, signal }: CompactionInput,
  messages: readonly MessageWithParts[],
): Promise<readonly MessageWithParts[]> {
  if (!hooks.has("chat.messages.transform")) return messages
  const { agent, model, rootSessionID } = scene
  const about = { sessionID: history.session.id, rootSessionID, agent, model: model.ref }
  const draft = await hooks.transform("chat.messages.transform", about, { messages: messages as never }, signal)
  return draft.messages
}

/** Counts each call before it is made, so that the count survives a crash. */
function countCalls({ journal, record }: CompactionInput) {
  let { part } = record
  const left = () => MOST_CALLS - (part.calls ?? 0)
  return {
    left,
    part: () => part,
    mayCall: async () => {
      if (left() <= 0) return false
      part = { ...part, calls: (part.calls ?? 0) + 1 }
      await journal.commit([{ type: "part.put", part }])
      return true
    },
  }
}

/**
 * Adds up the usage of calls. If no summary results, `keep` stores it with the newest user message other than the
 * marker.
 */
function collectBill(
  deps: Pick<DraftDeps, "ids" | "now" | "arrange">,
  { journal, history, record, scene }: CompactionInput,
  model: ModelRef,
) {
  let spent = nothingSpent
  return {
    add: (bill: Spent) => void (spent = addSpent(spent, bill)),
    keep() {
      const { talk } = deps.arrange(history.messages)
      const payer = talk.findLast(({ info }) => info.role === "user" && info.id !== record.marker.info.id)
      // Calls that ended before any output need no write.
      if (!payer || allTokens(spent.tokens) === 0) return
      const { sessionID, id: messageID } = payer.info
      const of = { sessionID, messageID, purpose: "compaction", agent: SUMMARIZER, model } as const
      scene.budget.told(messageID)
      journal.stage([{ type: "part.put", part: usagePart(deps, of, spent) }])
    },
  }
}
