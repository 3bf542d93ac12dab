import type { Message, Part, Session } from "@pawl/core/storage"

type Fields = Readonly<Record<string, unknown>>

/** Checks the fields that every reader of a session relies on. */
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

export function isMessage(value: unknown, id: string): value is Message {
  return isObject(value) && value["id"] === id && typeof value["role"] === "string" && isObject(value["time"])
}

/** A context has thousands of parts, so each field is read once. */
export function isPart(value: unknown, messageID: string): value is Part {
  if (typeof value !== "object" || value === null) return false
  const part = value as Fields
  const { type } = part
  if (part["messageID"] !== messageID || typeof part["id"] !== "string") return false
  if (type === "tool") return typeof (part["state"] as Fields | null | undefined)?.["status"] === "string"
  return type === "text" || type === "reasoning" ? typeof part["text"] === "string" : typeof type === "string"
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || typeof value === "string"
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
