import { type MessageWithParts, type ModelRef, type RetryPart, isAssistant, isSameModel } from "../../record/message.ts"
import type { Attempts } from "../../request/retry.ts"

/** `retry`: of the newest failed attempt, whose wait may not be over. */
export interface AttemptsBefore extends Attempts {
  readonly retry?: RetryPart
}

const none: AttemptsBefore = { failed: 0, elapsed: 0 }

/**
 * What was tried in vain, with this model, of the step that comes next, as it is stored: neither the end of a process
 * nor tools that ran upon an answer which broke off make the count begin anew.
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
    // An attempt that ended with its process: those before it count. What has run tools was none.
    if (parts.some((part) => part.type === "tool")) break
  }
  return none
}
