import type { Message, MessageWithParts } from "@pawl/core/record"
import { openCodeError } from "./error.ts"
import { isOwnPart, type OpenCodePart, openCodePart } from "./part.ts"
import { without } from "./without.ts"

export interface OpenCodeMessage {
  readonly id: string
  readonly sessionID: string
  readonly role: "user" | "assistant"
  readonly [field: string]: unknown
}

export interface OpenCodeMessageWithParts {
  readonly info: OpenCodeMessage
  readonly parts: readonly OpenCodePart[]
}

const OWN = ["clientID", "requests", "estimated", "copyOf"]

/** Returns the fields of a message that `openCodeMessage` leaves out. */
export function ownMessageFields(message: Message): Record<string, unknown> {
  return Object.fromEntries(Object.entries(message).filter(([key]) => OWN.includes(key)))
}

/** Converts a message to OpenCode's form. */
export function openCodeMessage(message: Message): OpenCodeMessage {
  const { id, sessionID, role } = message
  if (message.role === "assistant") {
    const { error } = message
    return { ...without(message, OWN), ...{ id, sessionID, role }, ...(error ? { error: openCodeError(error) } : {}) }
  }
  const { model, variant } = message
  return {
    ...without(message, [...OWN, "variant"]),
    ...{ id, sessionID, role },
    model: { ...model, ...(variant === undefined ? {} : { variant }) },
  }
}

export function openCodeMessageWithParts({ info, parts }: MessageWithParts): OpenCodeMessageWithParts {
  return {
    info: openCodeMessage(info),
    parts: parts.filter((part) => !isOwnPart(part)).map((part) => openCodePart(part)),
  }
}
