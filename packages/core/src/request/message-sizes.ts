import { textBytes } from "../measure/measure.ts"
import type { Model } from "../contracts/model.ts"
import type { MessageWithParts } from "../record/message.ts"
import type { Checked } from "./preflight.ts"
import type { Requests } from "./request-deps.ts"

/** Functions that estimate tokens, by the calibration of the checked request. */
export interface Sizes {
  readonly tokensOf: (text: string) => number
  readonly sizeOf: (message: MessageWithParts) => number
  readonly bytesPerToken: number
}

export function sizesFor(
  { measure, modelMessages }: Pick<Requests, "measure" | "modelMessages">,
  { calibration: { bytesPerToken } }: Pick<Checked, "calibration">,
  model: Model,
): Sizes {
  return {
    bytesPerToken,
    tokensOf: (text) => Math.ceil(textBytes(text) / bytesPerToken),
    sizeOf(message) {
      const sizes = modelMessages([message], model.ref).map((each) => measure.message(each, model))
      return sizes.reduce((sum, { bytes, media }) => sum + bytes / bytesPerToken + media, 0)
    },
  }
}

/** Estimates the tokens of the system prompt and the tools by their text, because a provider may report any usage. */
export function fixedTokens({ size, calibration }: Pick<Checked, "size" | "calibration">): number {
  return (size.bytes.system + size.bytes.tools) / calibration.bytesPerToken
}
