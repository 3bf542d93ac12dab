import type { Agent } from "../agents/agent.ts"
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
  readonly ids: IDSource
  readonly now: () => number
  readonly askModel: AskModel
  readonly agents: ReadonlyMap<string, Agent>
  readonly findModel: (ref: ModelRef) => Promise<Model>
}

/** The agent that writes summaries. */
const SUMMARIZER = "compaction"

export type CompactingReason = HookInput<"session.compacting">["reason"]

/** What a compaction starts from. */
export interface CompactionInput {
  readonly scene: RunScene
  readonly journal: Journal
  readonly history: History
  readonly record: CompactionRecord
  readonly reason: CompactingReason
  /** The next request as it is. */
  readonly checked: Checked
  /** Tokens that it may have. */
  readonly usable: number
  readonly signal: AbortSignal
  /** The run ends with it: nobody is to go on. */
  readonly isLast: boolean
}

/** What the rungs of the ladder choose from. */
export interface Draft extends Pick<Division, "prior" | "budget" | "tokensOf" | "unread"> {
  /** All that is not from an earlier compaction. */
  readonly talk: readonly MessageWithParts[]
  /** What is to be replaced. */
  readonly head: readonly MessageWithParts[]
  readonly kept: Kept
  /** Characters of the open requests where they fill the window. */
  readonly longestRequest: number
  readonly summary: SummaryResult
  /** Who wrote the summary. */
  readonly model: ModelRef
  /** The compaction with the calls counted that were made. */
  readonly record: CompactionRecord
}

/**
 * Chooses what stays, asks the hooks, and has the rest summarized: by a hook, or by a model as long as calls are left.
 * Undefined where a hook wants none and may have its way.
 */
export async function draftSummary(
  deps: DraftDeps,
  input: CompactionInput,
  isSkippable: boolean,
): Promise<Draft | undefined> {
  const { scene, record } = input
  const model = await findSummarizer(deps, scene.model)
  const window = model.info.limit.input || model.info.limit.context
  const division = divideContext(deps, {
    ...input,
    model: scene.model,
    summarizerWindow: window,
    isEarly: input.reason === "soft",
  })
  const asked = await askHooks(deps, input, division)
  if (asked.skip && isSkippable) return undefined
  const kept = keepBesides(division, asked.keep ?? [])
  const head = division.head.filter((message) => !kept.ids.includes(message.info.id))
  const { prior, budget, tokensOf, longestRequest, unread } = division
  const talk = [...division.head, ...division.tail]
  const draft = { talk, head, prior, budget, tokensOf, kept, longestRequest, unread }
  const source = head.reduce((sum, each) => sum + division.sizeOf(each), prior === undefined ? 0 : tokensOf(prior))
  const given = givenSummary(asked.summary, { tokensOf, budget, source })
  if (given !== undefined) return { ...draft, model: model.ref, summary: given, record }
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
      ...{ context: asked.context, words: Math.round(budget * 0.6) },
      ...(asked.prompt === undefined ? {} : { prompt: asked.prompt }),
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

/** Whether even an empty summary in place of the head would not make room: then a model is not paid for one. */
function isHopeless({ record, reason, checked, history, scene, usable }: CompactionInput, kept: Kept, source: number) {
  if (!record.part.auto || reason === "soft" || kept.ids.length > 0) return false
  const { bytesPerToken } = calibrationOf(history.messages, scene.model.ref)
  // As the next request is estimated behind a compaction: without what the provider counted before.
  const whole = totalBytes(checked.size) / bytesPerToken + checked.size.media
  return !madeRoom(checked.expected.tokens, whole - source, usable)
}

/** Hooks hear of it as of any request: it is the agent `compaction` that asks. */
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

/** The hidden agent `compaction` may have a model of its own; where that cannot be had, the conversation's does it. */
async function findSummarizer({ agents, findModel }: DraftDeps, model: Model): Promise<Model> {
  const ref = agents.get(SUMMARIZER)?.model
  return ref ? findModel(ref).catch(() => model) : model
}

async function askHooks(
  { hooks, arrange }: DraftDeps,
  { scene, history, reason, checked, usable, signal }: CompactionInput,
  { head, tail, budget }: Division,
): Promise<HookOutput<"session.compacting">> {
  if (!hooks.has("session.compacting")) return { context: [] }
  const { talk } = arrange(history.messages)
  const { ledger } = stateOf(history.messages, talk, new Set(tail.map(({ info }) => info.id)))
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

/** A hook's summary is held to the same measure as a model's, except for the headings, which it was not asked for. */
function givenSummary(
  text: string | undefined,
  { tokensOf, budget, source }: { tokensOf: (text: string) => number; budget: number; source: number },
): SummaryResult | undefined {
  if (text === undefined) return undefined
  const problem = summaryProblem({ text, sections: false, tokens: tokensOf(text), budget, source, isCut: false })
  return problem === undefined ? { text: text.trim(), spent: nothingSpent } : undefined
}

/** The conversation as the provider has it in its cache, where the same model can read it in one call. */
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

/** What plugins make of messages before they are sent holds for a summarizer as well. They may leave some out. */
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

/** Each call is counted before it is made, so that a crash does not make it free. */
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

/** What calls took whose summary never came: `keep` leaves it with the newest message that is none of compactions. */
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
      // One that was ended before anything came leaves all as it was.
      if (!payer || allTokens(spent.tokens) === 0) return
      const { sessionID, id: messageID } = payer.info
      const of = { sessionID, messageID, purpose: "compaction", agent: SUMMARIZER, model } as const
      scene.budget.told(messageID)
      journal.stage([{ type: "part.put", part: usagePart(deps, of, spent) }])
    },
  }
}
