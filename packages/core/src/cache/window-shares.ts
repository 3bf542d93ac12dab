import type { ExpectedInput } from "../measure/measured-request.ts"
import type { Measurement } from "../measure/measure.ts"
import { split } from "./split.ts"

/** Tokens of the next request, by what they are spent on. */
export interface WindowShares {
  readonly system: number
  readonly tools: number
  /** Of instruction files, which stand in the system prompt. */
  readonly instructions: number
  /** Of earlier messages, with the state that is kept beside it. */
  readonly summary: number
  /** Messages that were there when the turn began. */
  readonly tail: number
  /** What came in this turn. */
  readonly new: number
}

export interface WindowContent {
  readonly expected: Pick<ExpectedInput, "system" | "tools" | "messages" | "media">
  readonly size: Pick<Measurement, "bytes" | "messages">
  /** UTF-8, of the system prompt's. */
  readonly instructionBytes: number
  /** How many messages, from the first on, are the summary and its state. */
  readonly summaryMessages: number
  /** The index of the first message of the turn. */
  readonly newFrom: number
}

/** Shares in whole tokens, which add up to the expected request. */
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
