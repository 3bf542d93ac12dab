import type { Kept } from "./ladder/candidate.ts"
import { callLimit, INSTRUCTION_TOKENS, madeRoom, MAX_CALLS } from "./ladder/limits.ts"
import type { CompactionRecord } from "../record/compaction-record.ts"
import { stateOf } from "./ladder/state.ts"
import { stripMedia } from "./ladder/strip-media.ts"
import { summarize, type SummarizeInput, type SummaryResult } from "./ladder/summarize.ts"
import { summaryProblem } from "./ladder/validate-summary.ts"
import { calibrationOf } from "../measure/calibration.ts"
import { totalBytes } from "../measure/measure.ts"
import type { HookInput, HookOutput } from "../contracts/hooks.ts"
import type { OutputFacts } from "../contracts/output-facts.ts"
import type { Hooks } from "../hooks/hooks.ts"
import type { IDSource } from "../base/ids.ts"
import type { Model, ModelRequest } from "../contracts/model.ts"
import { divideContext, type Division, keepBesides } from "./divide-context.ts"
import type { History } from "../store/history.ts"
import { isSameModel, type MessageWithParts, type ModelRef } from "../record/message.ts"
import type { Checked } from "../request/preflight.ts"
import type { Models, RequestDeps } from "../request/request-deps.ts"
import type { StepContext } from "../request/step-context.ts"
import { withRequestHooks, withSettings } from "../request/request-hooks.ts"
import { addSpent, allTokens, nothingSpent, type Spent } from "../record/spent.ts"
import { usagePart } from "../usage/usage-part.ts"
import type { RunHandles } from "../tool-call/run-handles.ts"

export interface DraftDeps extends RequestDeps {
  readonly store: { readonly ids: IDSource; readonly now: () => number }
  readonly models: Pick<Models, "askModel" | "findModel">
  readonly calls: { readonly outputFacts: OutputFacts }
}

/** The agent that writes summaries. */
const SUMMARIZER = "compaction"

export type CompactingReason = HookInput<"session.compacting">["reason"]

/** Handles through which a compaction writes, asks a model, and is ended. */
export type CompactionHandles = Pick<RunHandles, "journal" | "budget" | "signal">

/** Facts about a compaction. */
export interface CompactionInput {
  readonly context: StepContext
  readonly history: History
  readonly record: CompactionRecord
  readonly reason: CompactingReason
  /** The next request without a compaction. */
  readonly checked: Checked
  /** Tokens that the request may have. */
  readonly usable: number
  /** Set if the run ends after the compaction, so the agent does not continue. */
  readonly isLast: boolean
}

/** Plan of a compaction, from which the rungs of the ladder choose. */
export interface Draft extends Pick<Division, "prior" | "budget" | "tokensOf" | "unread"> {
  /** All messages that are not from an earlier compaction. */
  readonly conversation: readonly MessageWithParts[]
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
  run: CompactionHandles,
  input: CompactionInput,
  isSkippable: boolean,
): Promise<Draft | undefined> {
  const { context, record } = input
  const model = await findSummarizer(deps.models, context)
  const window = model.info.limit.input || model.info.limit.context
  const division = divideContext(deps.requests, {
    ...input,
    model: context.model,
    summarizerWindow: window,
    isEarly: input.reason === "soft",
  })
  const output = await askHooks(deps, input, division, run.signal)
  if (output.skip && isSkippable) return undefined
  const kept = keepBesides(division, output.keep ?? [])
  const head = division.head.filter((message) => !kept.ids.includes(message.info.id))
  const { prior, budget, tokensOf, longestRequest, unread } = division
  const conversation = [...division.head, ...division.tail]
  const draft = { conversation, head, prior, budget, tokensOf, kept, longestRequest, unread }
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
  const calls = countCalls(run, input)
  const bill = collectBill(deps, run, input, model.ref)
  const left = new Set(division.summaryMessages.map(({ info }) => info.id))
  const seen = await asSent(deps.hooks, run.signal, input, [...division.summaryMessages, ...head])
  const summaryInput: SummarizeInput = {
    ...{ sessionID: record.marker.info.sessionID, model, prior, budget, source, tokensOf },
    messages: seen.filter(({ info }) => !left.has(info.id)),
    ...{ limit: callLimit(window), callsLeft: calls.left, mayCall: calls.mayCall, signal: run.signal },
    prepare: (request, isQuoted) => prepared(deps.hooks, run.signal, input, { model, request, isQuoted }),
    conversation: conversationOf(deps.requests, input, model, { seen, kept, source }),
    prompt: {
      ...{ context: output.context, words: Math.round(budget * 0.6) },
      ...(output.prompt === undefined ? {} : { prompt: output.prompt }),
      ...(record.part.focus === undefined ? {} : { focus: record.part.focus }),
    },
    ...{ runBudget: run.budget, messageID: record.marker.info.id, onSpent: bill.add },
  }
  const summary = await summarize(deps.models, summaryInput).catch((error: unknown) => {
    bill.keep()
    throw error
  })
  return { ...draft, model: model.ref, summary, record: { ...record, part: calls.part() } }
}

/** Returns whether even an empty summary would not make room, so that no model is paid for a summary. */
function isHopeless(
  { record, reason, checked, history, context, usable }: CompactionInput,
  kept: Kept,
  source: number,
) {
  if (!record.part.auto || reason === "soft" || kept.ids.length > 0) return false
  const { bytesPerToken } = calibrationOf(history.messages, context.model)
  // The next request after a compaction is estimated without the provider's earlier counts, so do the same here.
  const whole = totalBytes(checked.size) / bytesPerToken + checked.size.media
  return !madeRoom(checked.expected.tokens, whole - source, usable)
}

/** Runs the request hooks, for the agent `compaction`. */
function prepared(
  hooks: Hooks,
  signal: AbortSignal,
  { context, record: { marker } }: CompactionInput,
  { model, request, isQuoted }: { readonly model: Model; readonly request: ModelRequest; readonly isQuoted: boolean },
): Promise<ModelRequest> {
  const about = { sessionID: marker.info.sessionID, rootSessionID: context.rootSessionID, agent: SUMMARIZER }
  const hooked = isQuoted ? withRequestHooks : withSettings
  return hooked(hooks, { ...about, model: model.ref, message: marker.info }, request, signal)
}

/** Returns the model that writes summaries. Falls back to the conversation's model. */
async function findSummarizer(
  { findModel }: Pick<Models, "findModel">,
  { summaryModel, model }: StepContext,
): Promise<Model> {
  return summaryModel ? findModel(summaryModel).catch(() => model) : model
}

async function askHooks(
  { hooks, requests, calls }: DraftDeps,
  { context, history, reason, checked, usable }: CompactionInput,
  { head, tail, budget }: Division,
  signal: AbortSignal,
): Promise<HookOutput<"session.compacting">> {
  if (!hooks.has("session.compacting")) return { context: [] }
  const { conversation } = requests.arrange(history.messages)
  const { rootSessionID, agent, model, workspace } = context
  const { ledger } = stateOf(
    calls.outputFacts,
    history.messages,
    conversation,
    new Set(tail.map(({ info }) => info.id)),
  )
  const about = {
    sessionID: history.session.id,
    rootSessionID,
    agent: agent.name,
    model: model.ref,
    reason,
    budget,
    directory: workspace.directory,
    worktree: workspace.worktree,
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
  { modelMessages }: DraftDeps["requests"],
  { context, checked }: CompactionInput,
  { ref, info }: Model,
  { seen, kept, source }: { seen: readonly MessageWithParts[]; kept: Kept; source: number },
) {
  const isSame = isSameModel(ref, context.model.ref)
  const { system, tools } = checked.expected
  const limit = callLimit(info.limit.input || info.limit.context)
  if (!isSame || kept.ids.length > 0 || system + tools + source + INSTRUCTION_TOKENS > limit) return undefined
  const messages = modelMessages(seen, ref).map((message) => stripMedia(message))
  return { ...checked.prompt, messages }
}

/** Applies the transformations of plugins to the messages, as for other requests. Plugins may leave messages out. */
async function asSent(
  hooks: Hooks,
  signal: AbortSignal,
  { context, history }: CompactionInput,
  messages: readonly MessageWithParts[],
): Promise<readonly MessageWithParts[]> {
  if (!hooks.has("chat.messages.transform")) return messages
  const { agent, model, rootSessionID } = context
  const about = { sessionID: history.session.id, rootSessionID, agent: agent.name, model: model.ref }
  const draft = await hooks.transform("chat.messages.transform", about, { messages: messages as never }, signal)
  return draft.messages
}

/** Counts each call before it is made, so that the count survives a crash. */
function countCalls({ journal }: CompactionHandles, { record }: CompactionInput) {
  let { part } = record
  const left = () => MAX_CALLS - (part.calls ?? 0)
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
  { store, requests }: DraftDeps,
  { journal, budget }: CompactionHandles,
  { history, record }: CompactionInput,
  model: ModelRef,
) {
  let spent = nothingSpent
  return {
    add: (bill: Spent) => void (spent = addSpent(spent, bill)),
    keep() {
      const { conversation } = requests.arrange(history.messages)
      const lastPrompt = conversation.findLast(({ info }) => info.role === "user" && info.id !== record.marker.info.id)
      // Calls that ended before any output need no write.
      if (!lastPrompt || allTokens(spent.tokens) === 0) return
      const { sessionID, id: messageID } = lastPrompt.info
      const of = { sessionID, messageID, purpose: "compaction", agent: SUMMARIZER, model } as const
      budget.recordUsage(messageID)
      journal.stage([{ type: "part.put", part: usagePart(store, of, spent) }])
    },
  }
}
