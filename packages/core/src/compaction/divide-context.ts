import type { Kept } from "./ladder/candidate.ts"
import { callLimit, INSTRUCTION_TOKENS, roomForTail, summaryBudget } from "./ladder/limits.ts"
import { selectTail } from "./ladder/select-tail.ts"
import { requestsOf } from "./ladder/state.ts"
import type { Model } from "../contracts/model.ts"
import type { History } from "../store/history.ts"
import type { MessageWithParts } from "../record/message.ts"
import { sizesFor } from "../request/message-sizes.ts"
import type { Checked } from "../request/preflight.ts"
import type { Requests } from "../request/request-deps.ts"
import { stayingFrom } from "../record/unread-results.ts"

/** Division of the context into messages to replace and messages that stay. */
export interface Division {
  /** Messages that an earlier compaction left. */
  readonly lead: readonly MessageWithParts[]
  readonly prior: string | undefined
  /** Messages to replace, in the order of the request. */
  readonly head: readonly MessageWithParts[]
  readonly tail: readonly MessageWithParts[]
  /** Tokens that the summary may take. */
  readonly budget: number
  readonly tokensOf: (text: string) => number
  /** Characters that fit if only the open requests are left. */
  readonly longestRequest: number
  readonly sizeOf: (message: MessageWithParts) => number
  /** Token budget of messages that stay unchanged, even if the open requests have to be shortened for them. */
  readonly mostRoom: number
  /**
   * Index of the first message of the talk with a result that no request has carried. Its length if there is no such
   * message.
   */
  readonly unread: number
}

export interface DivideInput {
  readonly history: History
  readonly checked: Checked
  /** Tokens that a request may have. */
  readonly usable: number
  /** Model of the conversation. */
  readonly model: Model
  /** Tokens of the summarizer's window. 0: unknown. */
  readonly summarizerWindow: number
  /** Set if the summary is applied later. */
  readonly isEarly: boolean
  /** Part of the tail's budget that is used. Default: 1 */
  readonly tailShare?: number
}

export function divideContext(requests: Requests, input: DivideInput): Division {
  const { history, checked, usable, model, summarizerWindow, isEarly, tailShare = 1 } = input
  const { lead, talk } = requests.arrange(history.messages)
  const { bytesPerToken, tokensOf, sizeOf } = sizesFor(requests, checked, model)
  // A small summarizer has to read its own summary again.
  const budget = Math.min(summaryBudget(usable), summaryBudget(summarizerWindow > 0 ? summarizerWindow * 2 : Infinity))
  const openRequests = requestsOf(history.messages, talk)
  const { system, tools } = checked.expected
  const ofRequests = openRequests.reduce((sum, { text }) => sum + tokensOf(text), 0)
  const room = roomForTail(system + tools + budget + ofRequests, usable)
  // Use half of the remaining room: the state and the work need room as well.
  const shortRequests = Math.max(0, (usable - system - tools) / 2) * 0.8
  const mostRoom = roomForTail(system + tools + budget + Math.min(ofRequests, shortRequests), usable)
  const { tail, tailTurns } = checked.policy
  // The tail of an early summary is chosen when the summary is applied. The summary covers as much as a call can read.
  const early = between(0, checked.expected.tokens + INSTRUCTION_TOKENS - callLimit(summarizerWindow), tail)
  // An early summary is applied after the request that carries these results.
  const unread = isEarly ? talk.length : stayingFrom(talk, { room: mostRoom, sizeOf, tokensOf })
  // An unanswered prompt stays in its place.
  const limits = isEarly
    ? { budget: early, most: talk.at(-1)?.info.role === "user" ? tail : early }
    : { budget: Math.min(tail * tailShare, room), most: room }
  const start = selectTail(talk, sizeOf, { ...limits, turns: tailTurns, unread })
  const prior = textOf(lead.find(({ info }) => info.role === "assistant"))
  const longestRequest = Math.floor(shortRequests * bytesPerToken)
  const sizes = { budget, tokensOf, sizeOf, longestRequest, mostRoom, unread }
  return { lead, prior, head: talk.slice(0, start), tail: talk.slice(start), ...sizes }
}

function between(least: number, value: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}

/**
 * Returns the tail and the messages that a hook keeps: ids of messages of the head, or of their parts. Skips unknown
 * ids.
 */
export function keepBesides({ head, tail }: Division, ids: readonly string[]): Kept {
  const messages = head.filter(({ info, parts }) => ids.includes(info.id) || parts.some(({ id }) => ids.includes(id)))
  const known = new Set(messages.flatMap(({ info, parts }) => [info.id as string, ...parts.map(({ id }) => id)]))
  return { tail, ids: ids.filter((id) => known.has(id)), messages }
}

function textOf(message: MessageWithParts | undefined): string | undefined {
  const texts = message?.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])) ?? []
  return texts.length > 0 ? texts.join("\n\n") : undefined
}
