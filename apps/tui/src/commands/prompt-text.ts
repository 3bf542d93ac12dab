import type { MessageWithParts } from "@pawl/core"
import { requestedCall } from "@pawl/core/record"

/** Returns what the user typed. Undefined for a message that the user did not write. */
export function promptText(message: MessageWithParts): string | undefined {
  const call = requestedCall(message)
  if (call) return `!${typeof call.input["command"] === "string" ? call.input["command"] : call.tool}`
  const texts = message.parts.flatMap((part) => (part.type === "text" && !part.synthetic ? [part.text] : []))
  return texts.length === 0 ? undefined : texts.join("\n")
}
