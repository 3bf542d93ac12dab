import type { ExpectedInput } from "../measure/measured-request.ts"
import type { Measurement } from "../measure/measure.ts"

/** Tokens of the next request, by kind of content. */
export interface WindowShares {
  readonly system: number
  readonly tools: number
  /** Tokens of instruction files, which are in the system prompt. */
  readonly instructions: number
  /** Tokens of the summary of earlier messages, and of the state beside it. */
  readonly summary: number
  /** Tokens of messages before the current turn. */
  readonly tail: number
  /** Tokens of messages of the current turn. */
  readonly new: number
}

export interface WindowContent {
  readonly expected: Pick<ExpectedInput, "system" | "tools" | "messages" | "media">
  readonly size: Pick<Measurement, "bytes" | "messages">
  /** UTF-8 bytes of the instructions in the system prompt. */
  readonly instructionBytes: number
  /** Number of messages at the beginning that hold the summary and its state. */
  readonly summaryMessages: number
  /** The index of the first message of the turn. */
  readonly newFrom: number
}

/** Returns the shares in whole tokens, which add up to the expected request. */
export function windowShares(content: WindowContent): WindowShares {
  const { expected, size, instructionBytes, summaryMessages, newFrom } = content
  const [instructions = 0, system = 0] = split(expected.system, [
    Math.min(instructionBytes, size.bytes.system),
    Math.max(0, size.bytes.system - instructionBytes),
  ])
  const ends = [summaryMessages, Math.max(summaryMessages, newFrom), size.messages.length]
  const spans = ends.map((end, at) => size.messages.slice(ends[at - 1] ?? 0, end))
  const text = split(
    expected.messages,
    spans.map((span) => span.reduce((sum, { bytes }) => sum + bytes, 0)),
  )
  const media = split(
    expected.media,
    spans.map((span) => span.reduce((sum, each) => sum + each.media, 0)),
  )
  const [summary = 0, tail = 0, fresh = 0] = text.map((tokens, at) => tokens + (media[at] ?? 0))
  return { system, tools: expected.tools, instructions, summary, tail, new: fresh }
}

/**
 * Splits an integer into integers in proportion to the weights, which add up to it exactly. The rest after rounding
 * goes to the largest remainders, of equal remainders to the first. If no weight is above 0, everything goes to the
 * last.
 */
export function split(whole: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0)
  if (sum <= 0) return weights.map((_weight, at) => (at === weights.length - 1 ? whole : 0))
  const exact = weights.map((weight) => (whole * weight) / sum)
  const parts = exact.map((share) => Math.floor(share))
  const left = whole - parts.reduce((total, part) => total + part, 0)
  const byRemainder = exact
    .map((share, at) => ({ at, remainder: share - Math.floor(share) }))
    .toSorted((a, b) => b.remainder - a.remainder || a.at - b.at)
  for (const { at } of byRemainder.slice(0, left)) parts[at] = (parts[at] ?? 0) + 1
  return parts
}
