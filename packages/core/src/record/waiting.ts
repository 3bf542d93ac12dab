import type { Message, MessageWithParts, UserMessage } from "./message.ts"

/** `steer`: at the next step; `queue`: after the turn; `interrupt`: at once, in place of the running step. */
export type DeliveryMode = NonNullable<UserMessage["delivery"]>["mode"]

/** Returns whether a message is an undelivered prompt that was stored while the session was running. */
export function isWaiting(message: MessageWithParts): message is MessageWithParts<UserMessage> {
  return isWaitingInfo(message.info)
}

export function isWaitingInfo(info: Message): info is UserMessage {
  return info.role === "user" && info.delivery?.state === "waiting"
}
