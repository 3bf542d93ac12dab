import { compactionsOf } from "../record/compaction-record.ts"
import type { MessageWithParts, ModelRef, Tokens } from "../record/message.ts"
import { type Calibration, isAnswerOf, type Measured, measuredStep } from "./calibration.ts"
import { LEAST_BYTES_PER_TOKEN, MOST_BYTES_PER_TOKEN } from "./judge-report.ts"
import { type Measurement, totalBytes } from "./measure.ts"

/** Input tokens of a request that has not left yet. The shares are whole numbers and add up to `tokens`. */
export interface ExpectedInput {
  readonly tokens: number
  readonly system: number
  readonly tools: number
  /** Of text; images and documents are `media`. */
  readonly messages: number
  readonly media: number
  /**
   * How far `tokens` may be too low, nineteen times in twenty: for what must not overflow, such as the limit of the
   * answer. Thresholds compare `tokens` alone.
   */
  readonly margin: number
}

/** The last request of a conversation whose count is believed, as it was measured and as the provider counted it. */
export interface LastUsage {
  readonly bytes: number
  readonly observed: number
  /** Tokens of reasoning that its answer took: the provider may read them again, or not. */
  readonly reasoning?: number
}

/** What a tool returns may count up to twice as many tokens as the conversation before it. */
const MARGIN_OF_ADDED = 0.75
/** Of a request that is estimated as a whole, beside twice the error seen so far. */
const LEAST_MARGIN = 0.1

/** Of a step that was stored without a judgement: its images and documents are unknown. */
const MOST_MEDIA_TOKENS = 100_000

/** What the provider has read, from its cache or not. */
export function inputTokens({ input, cache }: Tokens): number {
  return input + cache.read + cache.write
}

/**
 * The newest request of this model whose count is believed, if the conversation has not been cut since: undefined behind
 * a compaction that is in effect, after another model, and if no count was believed.
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
  const most = MOST_MEDIA_TOKENS + bytes / LEAST_BYTES_PER_TOKEN
  return observed > 0 && observed >= bytes / MOST_BYTES_PER_TOKEN && observed <= most ? { bytes, observed } : undefined
}

/** Whether the conversation was cut here: by a compaction in effect. Others are not in it. */
function isCut({ info }: MessageWithParts, applied: ReadonlySet<string>): boolean {
  return applied.has(info.role === "user" ? info.id : info.parentID)
}

/**
 * Expects what the provider counted last and an estimate of what was added since. Where the request has become smaller,
 * it was cut, and all of it is estimated. `last` is what `lastUsage` gives.
 */
export function preflight(request: Measurement, calibration: Calibration, last?: LastUsage): ExpectedInput {
  const bytes = totalBytes(request)
  const { bytesPerToken } = calibration
  const grown = last && last.observed > 0 && bytes >= last.bytes ? last : undefined
  const added = grown ? bytes - grown.bytes : bytes
  const addedMedia = grown ? mediaBehind(request, added) : request.media
  const estimated = added / bytesPerToken + addedMedia
  const tokens = Math.ceil((grown?.observed ?? 0) + estimated)
  const uncertainty = grown ? MARGIN_OF_ADDED : Math.max(LEAST_MARGIN, 2 * calibration.error)
  const margin = Math.ceil(estimated * uncertainty + (grown?.reasoning ?? 0))
  return { tokens, ...shares(request, bytes, tokens), margin }
}

/** Of the messages that make up the last `added` bytes: those that the last request did not have. */
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
