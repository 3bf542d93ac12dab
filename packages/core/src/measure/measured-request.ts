import { compactionsOf } from "../record/compaction-record.ts"
import type { MessageWithParts, ModelRef, Tokens } from "../record/message.ts"
import { type Calibration, isAnswerOf, type Measured, measuredStep } from "./calibration.ts"
import { MIN_BYTES_PER_TOKEN, MAX_BYTES_PER_TOKEN } from "./judge-report.ts"
import { type Measurement, totalBytes } from "./measure.ts"

/** Expected input tokens of an unsent request. The shares are whole numbers and add up to `tokens`. */
export interface ExpectedInput {
  readonly tokens: number
  readonly system: number
  readonly tools: number
  /** Tokens of text; images and documents are in `media`. */
  readonly messages: number
  readonly media: number
  /**
   * Upper limit of the error of `tokens` in nineteen of twenty cases, for limits that must not overflow, such as that
   * of the answer. Thresholds compare `tokens` only.
   */
  readonly margin: number
}

/** The last request of a conversation with an accepted count: its measured size and the provider's count. */
export interface LastUsage {
  readonly bytes: number
  readonly observed: number
  /** Reasoning tokens of its answer, which the provider may or may not read again. */
  readonly reasoning?: number
}

/** Margin of added text: the result of a tool may have up to twice as many tokens as the conversation before it. */
const MARGIN_OF_ADDED = 0.75
/** Minimum margin of a request that is estimated as a whole. The other limit is twice the error so far. */
const MIN_MARGIN = 0.1

/** Assumed maximum for a step that was stored without a judgement: its images and documents are unknown. */
const MAX_MEDIA_TOKENS = 100_000

/** Returns the input tokens that the provider has read, cached or not. */
export function inputTokens({ input, cache }: Tokens): number {
  return input + cache.read + cache.write
}

/**
 * Returns this model's newest request with an accepted count. Undefined if a compaction or another model came after it,
 * or if no count was accepted.
 */
export function lastUsage(messages: readonly MessageWithParts[], model: ModelRef): LastUsage | undefined {
  const applied = new Set(
    compactionsOf(messages).flatMap(({ isApplied, marker }) => (isApplied ? [marker.info.id] : [])),
  )
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at]
    if (!message) continue
    if (isCut(message, applied)) return undefined
    const { info } = message
    const step = info.role === "user" || info.summary ? undefined : measuredStep(message)
    if (!step?.measured) continue
    return isAnswerOf(message, model) ? usageOf(step.measured, step.tokens) : undefined
  }
  return undefined
}

function usageOf({ bytes, report, basis }: Measured, tokens: Tokens): LastUsage | undefined {
  const observed = inputTokens(tokens)
  const { reasoning } = tokens
  if (report === "size" || report === "drop" || report === "growth") {
    return { bytes, observed, ...(reasoning > 0 ? { reasoning } : {}) }
  }
  if (report !== undefined) return basis && { bytes: basis.bytes, observed: basis.tokens }
  const maxTokens = MAX_MEDIA_TOKENS + bytes / MIN_BYTES_PER_TOKEN
  return observed > 0 && observed >= bytes / MAX_BYTES_PER_TOKEN && observed <= maxTokens
    ? { bytes, observed }
    : undefined
}

/** Returns whether a compaction that is in effect cut the conversation here. Other compactions do not count. */
function isCut({ info }: MessageWithParts, applied: ReadonlySet<string>): boolean {
  return applied.has(info.role === "user" ? info.id : info.parentID)
}

/**
 * Estimates the input: the provider's last count and an estimate of the text added since. A smaller request was cut,
 * and is estimated as a whole. `last`: the result of `lastUsage`.
 */
export function preflight(request: Measurement, calibration: Calibration, last?: LastUsage): ExpectedInput {
  const bytes = totalBytes(request)
  const { bytesPerToken } = calibration
  const grown = last && last.observed > 0 && bytes >= last.bytes ? last : undefined
  const added = grown ? bytes - grown.bytes : bytes
  const addedMedia = grown ? mediaBehind(request, added) : request.media
  const estimated = added / bytesPerToken + addedMedia
  const tokens = Math.ceil((grown?.observed ?? 0) + estimated)
  const uncertainty = grown ? MARGIN_OF_ADDED : Math.max(MIN_MARGIN, 2 * calibration.error)
  const margin = Math.ceil(estimated * uncertainty + (grown?.reasoning ?? 0))
  return { tokens, ...shares(request, bytes, tokens), margin }
}

/** Returns the media of the messages in the last `added` bytes, which the last request did not have. */
function mediaBehind({ messages }: Measurement, added: number): number {
  let media = 0
  let left = added
  for (let at = messages.length - 1; at >= 0 && left > 0; at--) {
    const size = messages[at]
    media += size?.media ?? 0
    left -= size?.bytes ?? 0
  }
  return media
}

function shares(request: Measurement, bytes: number, tokens: number): Omit<ExpectedInput, "tokens" | "margin"> {
  const media = Math.min(request.media, tokens)
  const text = tokens - media
  const share = (part: number) => (bytes > 0 ? Math.floor((text * part) / bytes) : 0)
  const system = share(request.bytes.system)
  const tools = share(request.bytes.tools)
  return { system, tools, messages: text - system - tools, media }
}
