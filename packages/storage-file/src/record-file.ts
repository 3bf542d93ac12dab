import { isUtf8 } from "node:buffer"
import type { Message, Part, Session, StorageProblem } from "@pawl/core/storage"
import type { Store } from "./store.ts"

export type Found<T> =
  | { readonly value: T; readonly problem?: never }
  | { readonly problem: StorageProblem; readonly value?: never }

/** Returns undefined if there is no file, and a problem if it does not contain this session. */
export function readSessionFile(store: Store, path: string, id: string | undefined): Found<Session> | undefined {
  return readRecord(store, path, id, (value) => {
    if (!isText(value, "projectID") || !isText(value, "directory") || !isText(value, "title") || !hasTime(value)) {
      return "it is not a session"
    }
    for (const field of ["parentID", "boundary"]) {
      if (value[field] !== undefined && !isText(value, field)) return `its ${field} is not an id`
    }
    return undefined
  })
}

export function readMessageFile(
  store: Store,
  path: string,
  ids: { readonly sessionID: string | undefined; readonly id: string | undefined },
): Found<Message> | undefined {
  return readRecord(store, path, ids.id, (value) => {
    if (ids.sessionID !== undefined && value["sessionID"] !== ids.sessionID) return "it is of another session"
    if (value["role"] !== "user" && value["role"] !== "assistant") return "it is not a message"
    return hasTime(value) ? undefined : "it has no time"
  })
}

export function readPartFile(
  store: Store,
  path: string,
  ids: {
    readonly sessionID: string | undefined
    readonly messageID: string | undefined
    readonly id: string | undefined
  },
): Found<Part> | undefined {
  return readRecord(store, path, ids.id, (value) => {
    if (ids.sessionID !== undefined && value["sessionID"] !== ids.sessionID) return "it is of another session"
    if (ids.messageID !== undefined && value["messageID"] !== ids.messageID) return "it is of another message"
    return hasPartShape(value) ? undefined : "it is not a part"
  })
}

type Fields = Readonly<Record<string, unknown>>

function readRecord<T>(
  store: Store,
  path: string,
  id: string | undefined,
  whatIsWrong: (value: Fields) => string | undefined,
): Found<T> | undefined {
  const subject = id ?? nameOf(path)
  const bytes = readVisible(store, path)
  if (!bytes) return undefined
  if (typeof bytes === "string") return { problem: damaged(store, path, subject, `it cannot be read (${bytes})`) }
  const value = parse(bytes)
  if (!isObject(value)) return { problem: damaged(store, path, subject, "it is not a JSON object") }
  if (id === undefined ? typeof value["id"] !== "string" : value["id"] !== id) {
    return { problem: damaged(store, path, subject, "it has another id than its name says") }
  }
  const wrong = whatIsWrong(value)
  return wrong === undefined ? { value: value as T } : { problem: damaged(store, path, subject, wrong) }
}

export function damaged(store: Store, path: string, subject: string, why: string): StorageProblem {
  return {
    kind: "damaged",
    subject,
    message: `${store.root}/${path} was left out: ${why}. Mend it by hand, or run \`pawl storage rebuild\`, which moves it to .pawl/quarantine.`,
  }
}

/**
 * Returns a file's bytes; undefined if it is missing; or the reason if it must be skipped. Throws if the disk fails.
 */
function readVisible({ fs }: Store, path: string): Buffer | string | undefined {
  try {
    return fs.readFile(path)
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException
    if (["EACCES", "EPERM", "ELOOP", "ERR_FS_FILE_TOO_LARGE"].includes(code)) return code
    throw error
  }
}

/** Returns undefined for bytes that are not JSON in UTF-8. Removes a byte order mark, which some editors add. */
function parse(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) return undefined
  try {
    return JSON.parse(bytes.toString().replace(/^\uFEFF/, ""))
  } catch {
    return undefined
  }
}

function hasPartShape(part: Fields): boolean {
  switch (part["type"]) {
    case "text":
      return isText(part, "text")
    case "reasoning":
      return isText(part, "text") && isObject(part["time"])
    case "file":
      return isText(part, "url") && isText(part, "mime")
    case "tool":
      return isText(part, "tool") && isText(part, "callID") && isObject(part["state"]) && hasStateShape(part["state"])
    default:
      return typeof part["type"] === "string"
  }
}

function hasStateShape(state: Fields): boolean {
  if (!isObject(state["input"])) return false
  switch (state["status"]) {
    case "pending":
    case "running":
      return true
    case "completed":
      return isText(state, "output") && isObject(state["time"])
    case "error":
      return isText(state, "error") && isObject(state["time"])
    default:
      return false
  }
}

function hasTime(value: Fields): boolean {
  return isObject(value["time"]) && typeof value["time"]["created"] === "number"
}

function isText(value: Fields, field: string): boolean {
  return typeof value[field] === "string"
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.json$/, "")
}
