import type { Write } from "../storage/storage.ts"
import { isAssistant } from "./next-action.ts"
import type { MessageWithParts, ToolPart } from "./message.ts"
import { fail, isUnsettled } from "./tool-state.ts"

/**
 * What settles the messages that a dead owner left behind: calls without a result get one that says so, and answers
 * without an end are completed with finish `unknown`, upon which the loop goes on. Nothing when nothing was left.
 */
export function recoveryWrites(messages: readonly MessageWithParts[], now: number): Write[] {
  const writes: Write[] = []
  for (const { info, parts } of messages.filter((message) => isAssistant(message))) {
    for (const part of parts) {
      if (part.type === "tool" && isUnsettled(part.state))
        writes.push({ type: "part.put", part: interrupted(part, now) })
    }
    if (info.time.completed === undefined) {
      const time = { ...info.time, completed: now }
      writes.push({ type: "message.put", message: { ...info, finish: info.finish ?? "unknown", time } })
    }
  }
  return writes
}

function interrupted(part: ToolPart, now: number): ToolPart {
  if (!isUnsettled(part.state)) return part
  return { ...part, state: fail(part.state, explanation(part), now, { interrupted: true }) }
}

function explanation({ state, metadata }: ToolPart): string {
  if (state.status === "pending") return "The call was interrupted before it ran. Call again if it is still needed."
  const effect = metadata?.["effect"]
  if (effect === "pure" || effect === "idempotent")
    return "The call was interrupted while it ran. It is safe to call again."
  return "The call was interrupted while it ran. Whether it took effect is unknown: look before you repeat it."
}
