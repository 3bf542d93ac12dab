import type { Model } from "../contracts/model.ts"
import type { MessageWithParts, ModelRef, StepFinishPart } from "../record/message.ts"
import { MIN_BYTES_PER_TOKEN, MAX_BYTES_PER_TOKEN } from "./judge-report.ts"
import { defaultInputRules } from "./default-input-rules.ts"

export type Measured = NonNullable<StepFinishPart["measured"]>

/** Knowledge of how a model counts text, and of its reports. */
export type Calibration = Pick<Measured, "bytesPerToken" | "error" | "samples" | "ignored" | "basis">

/** Value before a model has been observed. */
const DEFAULT_ERROR = 0.25

/** Maximum factor by which one observation moves the estimate, so that a single wrong report does little. */
const MAX_MOVE = 2
/** Minimum weight of the newest observation, because a conversation may turn from prose to code. */
const MIN_GAIN = 0.4

export function defaultCalibration({ inputRules = defaultInputRules }: Pick<Model, "inputRules">): Calibration {
  return { bytesPerToken: inputRules.bytesPerToken, error: DEFAULT_ERROR, samples: 0 }
}

/** Returns the calibration of this model's newest step, summaries included. Default: that of the model's rules. */
export function calibrationOf(
  messages: readonly MessageWithParts[],
  model: Pick<Model, "ref" | "inputRules">,
): Calibration {
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at]
    if (!message || !isAnswerOf(message, model.ref)) continue
    const measured = measuredStep(message)?.measured
    if (measured) return measured
  }
  return defaultCalibration(model)
}

/**
 * Learns from a step. `observed`: input tokens as the provider counted them, including cached ones. `media`: their
 * estimated share of images and documents. Ignores a count that no tokenizer can produce from the text.
 */
export function observe(
  previous: Calibration,
  step: { readonly bytes: number; readonly media: number; readonly observed: number; readonly estimate: number },
): Measured {
  const { bytes, media, observed, estimate } = step
  const { bytesPerToken, error, samples } = previous
  const text = observed - media
  const isText = text >= bytes / MAX_BYTES_PER_TOKEN && text <= bytes / MIN_BYTES_PER_TOKEN
  if (bytes <= 0 || !isText) return { bytes, estimate, bytesPerToken, error, samples }
  const gain = Math.max(MIN_GAIN, 1 / (samples + 1))
  const limited = clamp(bytes / text, bytesPerToken / MAX_MOVE, bytesPerToken * MAX_MOVE)
  // If most tokens are media, the ratio mostly shows the error of their estimate.
  const moved =
    Math.log(clamp(limited, MIN_BYTES_PER_TOKEN, MAX_BYTES_PER_TOKEN) / bytesPerToken) * gain * (text / observed)
  return {
    bytes,
    estimate,
    bytesPerToken: bytesPerToken * Math.exp(moved),
    error: error + (Math.min(1, Math.abs(estimate / observed - 1)) - error) * gain,
    samples: samples + 1,
  }
}

/**
 * Moves the ratio back towards the default after a report that cannot be true, because earlier reports of the same
 * server are doubtful too.
 */
export function doubted(
  { bytesPerToken, ...known }: Calibration,
  { inputRules = defaultInputRules }: Pick<Model, "inputRules">,
): Calibration {
  const usual = inputRules.bytesPerToken
  return { ...known, bytesPerToken: bytesPerToken * (usual / bytesPerToken) ** MIN_GAIN }
}

export function isAnswerOf({ info }: MessageWithParts, { providerID, modelID }: ModelRef): boolean {
  return info.role === "assistant" && info.providerID === providerID && info.modelID === modelID
}

/** Returns the newest finished step of this message with a measured request. */
export function measuredStep({ parts }: MessageWithParts): StepFinishPart | undefined {
  return parts.findLast((part) => part.type === "step-finish" && part.measured !== undefined) as
    | StepFinishPart
    | undefined
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}
