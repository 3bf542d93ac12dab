/** Fields of a session that would let it do more than a new one, or lead elsewhere. */
const DROPPED: readonly string[] = ["permission", "approvals", "share", "revert"]

/**
 * The document of a recording's history as it may be imported: whoever wrote it says nothing of where is worked here, nor
 * of what is allowed. What is no document is left as it is, for the import to refuse.
 */
export function safeHistory(document: unknown, directory: string): unknown {
  if (!isObject(document) || !Array.isArray(document["sessions"])) return document
  const sessions = document["sessions"].map((entry: unknown): unknown => {
    if (!isObject(entry) || !isObject(entry["session"])) return entry
    const { hash: _, ...rest } = entry
    const kept = Object.entries(entry["session"]).filter(([key]) => !DROPPED.includes(key))
    return { ...rest, session: { ...Object.fromEntries(kept), directory } }
  })
  return { ...document, sessions }
}

/** The id of the session that it is the history of. */
export function historyID(document: unknown): string | undefined {
  const [first] = isObject(document) && Array.isArray(document["sessions"]) ? (document["sessions"] as unknown[]) : []
  const session = isObject(first) ? first["session"] : undefined
  return isObject(session) && typeof session["id"] === "string" ? session["id"] : undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
