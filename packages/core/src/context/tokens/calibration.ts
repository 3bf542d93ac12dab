import type { MessageWithParts, ModelRef, StepFinishPart } from "../../session/message.ts"
import { type ProviderFamily, providerFamily } from "./provider-family.ts"

export type Measured = NonNullable<StepFinishPart["measured"]>

/** What is known of how a model counts text. */
export type Calibration = Pick<Measured, "bytesPerToken" | "error" | "samples">

/** Before a model has been observed. Claude's tokens are shorter than those of others. */
const DEFAULT_BYTES_PER_TOKEN: { readonly [F in ProviderFamily]: number } = {
  anthropic: 3.5,
  openai: 4,
  google: 4,
  other: 4,
}
const DEFAULT_ERROR = 0.25

/** Outside of these no tokenizer counts text: what remains is a provider's own addition, or a wrong report. */
const LEAST = 1
const MOST = 12
/** Tokens for a byte, beyond which a report is wrong; what a provider adds by itself counts for much in a short request. */
const MOST_REPORTED = 8
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
 * What is stored with a step. `observed`: input tokens as the provider counted them, those of its cache included; 0
 * where it did not say, and then nothing is learned. `media`: the part of them that images and documents are taken for.
 */
export function observe(
  previous: Calibration,
  step: { readonly bytes: number; readonly media: number; readonly observed: number; readonly estimate: number },
): Measured {
  const { bytes, media, observed, estimate } = step
  const { bytesPerToken, error, samples } = previous
  const text = observed - media
  // A report of far more tokens than there are bytes tells nothing of the text.
  if (text <= 0 || bytes <= 0 || text > bytes * MOST_REPORTED) return { bytes, estimate, bytesPerToken, error, samples }
  const gain = Math.max(LEAST_GAIN, 1 / (samples + 1))
  const limited = clamp(bytes / text, bytesPerToken / LONGEST_MOVE, bytesPerToken * LONGEST_MOVE)
  // Where media prevail, their estimate is what the ratio would tell of.
  const moved = Math.log(clamp(limited, LEAST, MOST) / bytesPerToken) * gain * (text / observed)
  return {
    bytes,
    estimate,
    bytesPerToken: bytesPerToken * Math.exp(moved),
    error: error + (Math.min(1, Math.abs(estimate / observed - 1)) - error) * gain,
    samples: samples + 1,
  }
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
