import { toChatError } from "../chat/chat-error.ts"
import type { WireError } from "../wire-format.ts"

/**
 * Returns the status and the error body. They are those of Chat Completions, except for the field with the location of
 * the error.
 */
export function toResponsesError(failure: WireError) {
  const { message = defaultMessages[failure.kind] } = failure
  const { body, ...rest } = toChatError({ ...failure, message })
  const { param } = body.error
  return { ...rest, body: { error: { ...body.error, param: param === "messages" ? "input" : param } } }
}

const defaultMessages: Readonly<Partial<Record<WireError["kind"], string>>> = {
  "context-overflow": "Your input exceeds the context window of this model. Please adjust your input and try again.",
}
