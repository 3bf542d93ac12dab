import { type MessageWithParts, type ModelRef, type RetryPart, isAssistant, isSameModel } from "../../record/message.ts"
import type { Attempts } from "../../request/retry.ts"

/** Failed attempts of a step. `retry`: belongs to the newest one, whose wait may not be over. */
export interface AttemptsBefore extends Attempts {
  readonly retry?: RetryPart
}

const none: AttemptsBefore = { failed: 0, elapsed: 0 }

/**
 * Returns the stored failed attempts of the next step with this model. The count does not start again after the end of
 * a process, or after tools that ran for an incomplete answer.
 */
export function attemptsBefore(messages: readonly MessageWithParts[], model: ModelRef): AttemptsBefore {
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at]
    if (!message || !isAssistant(message)) break
    const { info, parts } = message
    const brokeOff = info.finish === undefined || info.finish === "unknown"
    if (!brokeOff || info.error || !isSameModel(info, model)) break
    const retry = parts.findLast((part) => part.type === "retry")
    if (retry) return retry.fallback ? none : { failed: retry.attempt, elapsed: retry.elapsed ?? 0, retry }
    // An attempt that ended with its process: earlier attempts still count. An answer that ran tools was no failure.
    if (parts.some((part) => part.type === "tool")) break
  }
  return none
}
