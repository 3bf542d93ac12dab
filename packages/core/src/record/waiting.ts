import type { Message, MessageWithParts, UserMessage } from "./message.ts"

/** At the next step, after the turn, or at once in place of the step under way. */
export type DeliveryMode = NonNullable<UserMessage["delivery"]>["mode"]

/** Whether it is a prompt that was stored for a session at work and has not been delivered. */
export function isWaiting(message: MessageWithParts): message is MessageWithParts<UserMessage> {
  return isWaitingInfo(message.info)
}

export function isWaitingInfo(info: Message): info is UserMessage {
  return info.role === "user" && info.delivery?.state === "waiting"
}
