import type { Message, Part, Session } from "@pawl/core"

type Fields = Readonly<Record<string, unknown>>

/** Whether a value has what every reader of a session relies on. */
export function isSession(value: unknown): value is Session {
  return (
    isObject(value) &&
    typeof value["id"] === "string" &&
    typeof value["title"] === "string" &&
    typeof value["directory"] === "string" &&
    typeof value["projectID"] === "string" &&
    isTextOrAbsent(value["parentID"]) &&
    isTextOrAbsent(value["boundary"]) &&
    isObject(value["time"])
  )
}

/** Whether a value is the message with this id. */
export function isMessage(value: unknown, id: string): value is Message {
  return isObject(value) && value["id"] === id && typeof value["role"] === "string" && isObject(value["time"])
}

/** Whether a value is a part of the message with this id. */
export function isPart(value: unknown, messageID: string): value is Part {
  if (!isObject(value) || value["messageID"] !== messageID || typeof value["id"] !== "string") return false
  const { type } = value
  if (type === "text" || type === "reasoning") return typeof value["text"] === "string"
  if (type !== "tool") return typeof type === "string"
  return isObject(value["state"]) && typeof value["state"]["status"] === "string"
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || typeof value === "string"
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
