import type { MessageWithParts, ModelRef } from "../record/message.ts"
import { isAnswerOf, measuredStep } from "./calibration.ts"

/**
 * Bytes of text in the largest request that this model has answered, 0 if there is none. A compaction's summary tells of the
 * last one before it.
 */
export function largestAccepted(messages: readonly MessageWithParts[], model: ModelRef): number {
  return messages.reduce((most, message) => {
    if (!isAnswerOf(message, model)) return most
    return Math.max(most, measuredStep(message)?.measured?.bytes ?? 0)
  }, 0)
}
