import type { MessageWithParts, ModelRef } from "../record/message.ts"
import { isAnswerOf, measuredStep } from "./calibration.ts"

/**
 * Returns the bytes of text in the largest request that this model has answered; 0 if it has answered no request. A
 * compaction's summary stores that of the last request before it.
 */
export function largestAccepted(messages: readonly MessageWithParts[], model: ModelRef): number {
  return messages.reduce((most, message) => {
    if (!isAnswerOf(message, model)) return most
    return Math.max(most, measuredStep(message)?.measured?.bytes ?? 0)
  }, 0)
}
