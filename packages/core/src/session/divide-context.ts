import type { Kept } from "../context/compaction/candidate.ts"
import { roomForTail, summaryBudget } from "../context/compaction/limits.ts"
import { selectTail } from "../context/compaction/select-tail.ts"
import { stateOf } from "../context/compaction/state.ts"
import { calibrationOf } from "../context/tokens/calibration.ts"
import { textBytes } from "../context/tokens/measure.ts"
import type { Model } from "../provider/model.ts"
import type { History } from "./history.ts"
import type { MessageWithParts } from "./message.ts"
import type { Checked, PreflightDeps } from "./preflight.ts"

/** What a compaction replaces, and what stays. */
export interface Division {
  /** What an earlier compaction left. */
  readonly lead: readonly MessageWithParts[]
  readonly prior: string | undefined
  /** To be replaced, in the order of the request. */
  readonly head: readonly MessageWithParts[]
  readonly tail: readonly MessageWithParts[]
  /** Tokens that the summary may take. */
  readonly budget: number
  readonly tokensOf: (text: string) => number
  /** Characters that fit where nothing but the open requests is left. */
  readonly longestRequest: number
  readonly sizeOf: (message: MessageWithParts) => number
}

export interface DivideInput {
  readonly history: History
  readonly checked: Checked
  /** Tokens that a request may have. */
  readonly usable: number
  /** Of the conversation. */
  readonly model: Model
  /** Tokens of the summarizer's window, 0 where it is not known. */
  readonly summarizerWindow: number
  /** It is put into effect later. */
  readonly isEarly: boolean
}

/** Tokens of the tail of a summary that is made early, where the settings allow as many. */
const SMALLEST_EARLY_TAIL = 2000

export function divideContext(deps: PreflightDeps, input: DivideInput): Division {
  const { history, checked, usable, model, summarizerWindow, isEarly } = input
  const { lead, talk } = deps.arrange(history.messages)
  const { bytesPerToken } = calibrationOf(history.messages, model.ref)
  const tokensOf = (text: string) => Math.ceil(textBytes(text) / bytesPerToken)
  const sizeOf = (message: MessageWithParts) => {
    const sizes = deps.modelMessages([message], model.ref).map((each) => deps.measure.message(each, model.ref))
    return sizes.reduce((sum, { bytes, media }) => sum + bytes / bytesPerToken + media, 0)
  }
  // A small summarizer has to read its own summary again.
  const budget = Math.min(summaryBudget(usable), summaryBudget(summarizerWindow > 0 ? summarizerWindow * 2 : Infinity))
  const { requests } = stateOf(history.messages, talk, new Set())
  const { system, tools } = checked.expected
  const fixed = requests.reduce((sum, { text }) => sum + tokensOf(text), system + tools + budget)
  const room = roomForTail(fixed, usable)
  const { tail, tailTurns } = checked.policy
  // What is said until a summary that is made early is put into effect stays as well.
  const growth = isEarly ? Math.max(0, checked.policy.hard - checked.expected.tokens) / 2 : 0
  const early = Math.max(Math.min(SMALLEST_EARLY_TAIL, tail), tail - growth)
  const start = selectTail(talk, sizeOf, { budget: Math.min(early, room), most: room, turns: tailTurns })
  const prior = textOf(lead.find(({ info }) => info.role === "assistant"))
  // Half of what the rest leaves: the state and the work want room as well.
  const longestRequest = Math.max(0, Math.floor(((usable - system - tools) / 2) * bytesPerToken * 0.8))
  const sizes = { budget, tokensOf, sizeOf, longestRequest }
  return { lead, prior, head: talk.slice(0, start), tail: talk.slice(start), ...sizes }
}

/** With what a hook wants to keep besides: ids of messages of the head, or of their parts. Others are passed over. */
export function keepBesides({ head, tail }: Division, ids: readonly string[]): Kept {
  const messages = head.filter(({ info, parts }) => ids.includes(info.id) || parts.some(({ id }) => ids.includes(id)))
  const known = new Set(messages.flatMap(({ info, parts }) => [info.id as string, ...parts.map(({ id }) => id)]))
  return { tail, ids: ids.filter((id) => known.has(id)), messages }
}

function textOf(message: MessageWithParts | undefined): string | undefined {
  const texts = message?.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])) ?? []
  return texts.length > 0 ? texts.join("\n\n") : undefined
}
