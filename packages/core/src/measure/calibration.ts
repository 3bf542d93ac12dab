import type { MessageWithParts, ModelRef, StepFinishPart } from "../record/message.ts"
import { LEAST_BYTES_PER_TOKEN, MOST_BYTES_PER_TOKEN } from "./judge-report.ts"
import { type ProviderFamily, providerFamily } from "./provider-family.ts"

export type Measured = NonNullable<StepFinishPart["measured"]>

/** What is known of how a model counts text, and of its reports. */
export type Calibration = Pick<Measured, "bytesPerToken" | "error" | "samples" | "ignored" | "basis">

/** Before a model has been observed. Claude's tokens are shorter than those of others. */
const DEFAULT_BYTES_PER_TOKEN: { readonly [F in ProviderFamily]: number } = {
  anthropic: 3.5,
  openai: 4,
  google: 4,
  other: 4,
}
const DEFAULT_ERROR = 0.25

/** One observation moves the estimate by no more than this factor, so that a single wrong report does little. */
const LONGEST_MOVE = 2
/** The newest observations count, for a conversation may turn from prose to code. */
const LEAST_GAIN = 0.4

export function defaultCalibration(model: ModelRef): Calibration {
  return { bytesPerToken: DEFAULT_BYTES_PER_TOKEN[providerFamily(model)], error: DEFAULT_ERROR, samples: 0 }
}

/** What the newest step of this model has learned, summaries included; the family's default where there is none. */
export function calibrationOf(messages: readonly MessageWithParts[], model: ModelRef): Calibration {
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at]
    if (!message || !isAnswerOf(message, model)) continue
    const measured = measuredStep(message)?.measured
    if (measured) return measured
  }
  return defaultCalibration(model)
}

/**
 * Learns from a step. `observed`: input tokens as the provider counted them, those of its cache included. `media`: the
 * part of them that images and documents are estimated at. A count which no tokenizer makes of the text teaches nothing.
 */
export function observe(
  previous: Calibration,
  step: { readonly bytes: number; readonly media: number; readonly observed: number; readonly estimate: number },
): Measured {
  const { bytes, media, observed, estimate } = step
  const { bytesPerToken, error, samples } = previous
  const text = observed - media
  const isText = text >= bytes / MOST_BYTES_PER_TOKEN && text <= bytes / LEAST_BYTES_PER_TOKEN
  if (bytes <= 0 || !isText) return { bytes, estimate, bytesPerToken, error, samples }
  const gain = Math.max(LEAST_GAIN, 1 / (samples + 1))
  const limited = clamp(bytes / text, bytesPerToken / LONGEST_MOVE, bytesPerToken * LONGEST_MOVE)
  // Where media prevail, their estimate is what the ratio would tell of.
  const moved =
    Math.log(clamp(limited, LEAST_BYTES_PER_TOKEN, MOST_BYTES_PER_TOKEN) / bytesPerToken) * gain * (text / observed)
  return {
    bytes,
    estimate,
    bytesPerToken: bytesPerToken * Math.exp(moved),
    error: error + (Math.min(1, Math.abs(estimate / observed - 1)) - error) * gain,
    samples: samples + 1,
  }
}

/** After a report that cannot be true: what the same server has taught before moves back towards what is usual. */
export function doubted({ bytesPerToken, ...known }: Calibration, model: ModelRef): Calibration {
  const usual = DEFAULT_BYTES_PER_TOKEN[providerFamily(model)]
  return { ...known, bytesPerToken: bytesPerToken * (usual / bytesPerToken) ** LEAST_GAIN }
}

export function isAnswerOf({ info }: MessageWithParts, { providerID, modelID }: ModelRef): boolean {
  return info.role === "assistant" && info.providerID === providerID && info.modelID === modelID
}

/** The newest end of a step in this message whose request had been measured. */
export function measuredStep({ parts }: MessageWithParts): StepFinishPart | undefined {
  return parts.findLast((part) => part.type === "step-finish" && part.measured !== undefined) as
    | StepFinishPart
    | undefined
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}
