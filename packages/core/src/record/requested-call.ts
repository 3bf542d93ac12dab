import type { JSONObject } from "../base/json.ts"
import { isAssistant, type MessageWithParts, type UserMessage } from "./message.ts"

/** A call that the user asks for, without the model. */
export interface RequestedCall {
  readonly tool: string
  readonly input: JSONObject
}

/** Key in the metadata of a user's text for the call that it asks for. */
const REQUESTED_CALL = "call"

/** The text of a message that asks for a call. The model reads it before the call and its result. */
const CALL_TEXT = "The user ran this call directly:"

/** Returns the fields of a text part that asks for a call. */
export function requestingText({ tool, input }: RequestedCall) {
  return { type: "text", text: CALL_TEXT, synthetic: true, metadata: { [REQUESTED_CALL]: { tool, input } } } as const
}

/** Returns the call that a message of the user asks for. */
export function requestedCall({ info, parts }: MessageWithParts): RequestedCall | undefined {
  if (info.role !== "user") return undefined
  for (const part of parts) {
    const call = part.type === "text" && part.synthetic ? part.metadata?.[REQUESTED_CALL] : undefined
    if (isRequestedCall(call)) return { tool: call.tool, input: call.input }
  }
  return undefined
}

/** Returns the call that a message of the user asks for, if it has not begun. */
export function pendingCall(
  messages: readonly MessageWithParts[],
  user: MessageWithParts<UserMessage>,
): RequestedCall | undefined {
  const call = requestedCall(user)
  const hasBegun = call && messages.some((each) => isAssistant(each) && each.info.parentID === user.info.id)
  return hasBegun ? undefined : call
}

function isRequestedCall(value: unknown): value is RequestedCall {
  if (typeof value !== "object" || value === null) return false
  const { tool, input } = value as Partial<Record<keyof RequestedCall, unknown>>
  return typeof tool === "string" && typeof input === "object" && input !== null && !Array.isArray(input)
}
