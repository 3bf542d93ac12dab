import { isText } from "./prompt-of.ts"

/** Fields of a session that would give it more permissions than a new one, or refer to other data. */
const DROPPED: readonly string[] = ["permission", "approvals", "share", "revert"]

/**
 * Returns the history of a recording without the author's directories and permissions, so that it can be imported.
 * Returns an invalid document unchanged; the import rejects it.
 */
export function safeHistory(document: unknown, directory: string): unknown {
  if (!isObject(document) || !Array.isArray(document["sessions"])) return document
  const sessions = document["sessions"].map((entry: unknown): unknown => {
    if (!isObject(entry) || !isObject(entry["session"])) return entry
    const { hash: _, ...rest } = entry
    const fields = Object.entries(entry["session"]).filter(([key]) => !DROPPED.includes(key))
    return { ...(withoutLinks(rest) as object), session: { ...Object.fromEntries(fields), directory } }
  })
  return { ...document, sessions }
}

/** Removes links to files whose content is not in the recording. Removes system prompts, which are built again. */
function withoutLinks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutLinks(item))
  if (!isObject(value)) return value
  if (value["type"] === "step-start") {
    const { head: _, ...step } = value
    return step
  }
  if (value["type"] === "file" && typeof value["url"] === "string" && !isHere(value)) return { ...value, ...NO_FILE }
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutLinks(inner)]))
}

function isHere(file: Record<string, unknown>): boolean {
  return isText(file) || /^(?:data|blob):/.test(String(file["url"]))
}

/** A replacement with a type that is not sent to models. */
const NO_FILE = { mime: "text/plain", url: "data:text/plain," }

/** Returns the ids of its sessions, the recorded session first. */
export function historyIDs(document: unknown): string[] {
  const entries = isObject(document) && Array.isArray(document["sessions"]) ? (document["sessions"] as unknown[]) : []
  return entries.flatMap((entry) => {
    const session = isObject(entry) ? entry["session"] : undefined
    return isObject(session) && typeof session["id"] === "string" ? [session["id"]] : []
  })
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
