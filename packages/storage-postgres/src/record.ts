import type { Message, MessageWithParts, Part, Session, SessionID, StorageProblem } from "@pawl/core/storage"
import { fromColumn } from "./column.ts"

/** `session_id` and the ids in their column form; `data` is JSON. */
export interface RecordRow {
  readonly message_id: string
  readonly part_id: string
  readonly data: string
}

/** A record's value, or the problem with it. */
export type Parsed<T> =
  | { readonly value: T; readonly problem?: never }
  | { readonly problem: StorageProblem; readonly value?: never }

export type RecordValue = Session | Message | Part

/** Returns the record's value if it is valid JSON and has the ids of the row. */
export function parseRecord(sessionID: SessionID, row: RecordRow): Parsed<RecordValue> {
  const id = fromColumn(row.part_id || row.message_id) || sessionID
  try {
    const value = JSON.parse(row.data) as unknown
    const wrong = wrongShape(sessionID, row, value)
    return wrong === undefined ? { value: value as RecordValue } : { problem: damaged(sessionID, id, wrong) }
  } catch {
    return { problem: damaged(sessionID, id, "is not JSON") }
  }
}

/** Messages in the order of the rows, parts by id. Rows are sorted by message; each message precedes its parts. */
export interface ReadMessages {
  add(row: RecordRow): void
  readonly messages: MessageWithParts[]
  readonly damaged: StorageProblem[]
}

export function createMessages(sessionID: SessionID): ReadMessages {
  const messages: { info: Message; parts: Part[] }[] = []
  const damaged: StorageProblem[] = []
  let current: string | undefined
  return {
    messages,
    damaged,
    add(row) {
      const { value, problem } = parseRecord(sessionID, row)
      if (problem) damaged.push(problem)
      else if (row.part_id === "") {
        messages.push({ info: value as Message, parts: [] })
        current = row.message_id
      } else if (current === row.message_id) messages.at(-1)?.parts.push(value as Part)
      else damaged.push(orphan(sessionID, row))
    },
  }
}

/** The problem of a part whose message is missing or unreadable. */
export function orphan(sessionID: SessionID, { message_id, part_id }: RecordRow): StorageProblem {
  const [part, message] = [fromColumn(part_id), fromColumn(message_id)]
  return {
    kind: "reference",
    subject: part,
    message: `Part ${part} of session ${sessionID} is left out: its message ${message} cannot be read. Restore a backup, or rebuild the storage to set it aside.`,
  }
}

function damaged(sessionID: SessionID, id: string, wrong: string): StorageProblem {
  const where = id === sessionID ? "" : ` of session ${sessionID}`
  const message = `The record ${id}${where} ${wrong}. Restore a backup, or rebuild the storage to set it aside.`
  return { kind: "damaged", subject: id, message }
}

function wrongShape(sessionID: SessionID, { message_id, part_id }: RecordRow, value: unknown): string | undefined {
  if (!isObject(value)) return "is not an object"
  if (message_id === "") return wrongSession(sessionID, value)
  const [messageID, partID] = [fromColumn(message_id), fromColumn(part_id)]
  if (value["id"] !== (partID || messageID)) return "has the id of another"
  if (value["sessionID"] !== sessionID) return "names another session"
  if (partID === "") return value["role"] === "user" || value["role"] === "assistant" ? undefined : "has no role"
  if (value["messageID"] !== messageID) return "names another message"
  if (typeof value["type"] !== "string") return "has no type"
  if (value["type"] === "tool" && !hasStatus(value["state"])) return "has no state"
  if (value["type"] === "text" && typeof value["text"] !== "string") return "has no text"
  return undefined
}

function wrongSession(sessionID: SessionID, value: Record<string, unknown>): string | undefined {
  if (value["id"] !== sessionID) return "has the id of another"
  const missing = ["projectID", "directory", "title"].find((name) => typeof value[name] !== "string")
  if (missing !== undefined) return `has no ${missing}`
  const wrong = ["parentID", "boundary"].find((name) => !["string", "undefined"].includes(typeof value[name]))
  if (wrong !== undefined) return `has no id as ${wrong}`
  return isObject(value["time"]) ? undefined : "has no time"
}

function hasStatus(state: unknown): boolean {
  return isObject(state) && typeof state["status"] === "string"
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
