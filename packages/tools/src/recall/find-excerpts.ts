import { excerpt, type MessageID, type SessionID } from "@pawl/core/record"
import { searchWords } from "@pawl/core/storage"
import { displayName } from "../display-name.ts"
import { describePart } from "./recalled-text.ts"
import type { SessionRecord } from "./session-record.ts"

/** Name of the tool. Its own calls are skipped, because they contain the searched words. */
export const RECALL = "recall"

export interface RecallQuery {
  readonly text: string
  readonly sessionID: SessionID
  /** The message that asks; its parts are skipped. */
  readonly messageID: MessageID
  /** Maximum number of excerpts. */
  readonly limit: number
  readonly signal: AbortSignal
}

export interface Excerpts {
  /** An entry per part, newest first. */
  readonly entries: readonly string[]
  /** Set if there are more matches than `limit`. */
  readonly hasMore: boolean
}

const EXCERPT_LENGTH = 300

/** Maximum number of searched parts. */
const MAX_HITS = 500

/** Maximum number of words of a query that are searched one by one. */
const MAX_WORDS = 8

/** Finds parts of the session that contain every word. */
export async function findExcerpts(record: SessionRecord, query: RecallQuery): Promise<Excerpts> {
  const { text, sessionID, messageID, limit, signal } = query
  const entries: string[] = []
  for await (const hit of record.search({ text, sessionID, limit: MAX_HITS })) {
    signal.throwIfAborted()
    if (hit.messageID === messageID) continue
    const found = await record.readPart(hit)
    // The part was removed since the search.
    if (!found || (found.part.type === "tool" && found.part.tool === RECALL)) continue
    if (entries.length >= limit) return { entries, hasMore: true }
    const shown = displayName(excerpt(hit.text, text, EXCERPT_LENGTH))
    entries.push(`${hit.partID} (${describePart(found.message, found.part)})\n  ${shown}`)
  }
  return { entries, hasMore: false }
}

/** Splits the query's words into those that occur in the session and those that do not. */
export async function wordsAlone(record: SessionRecord, query: RecallQuery): Promise<readonly [string[], string[]]> {
  const [present, missing]: [string[], string[]] = [[], []]
  for (const word of searchWords(query.text).slice(0, MAX_WORDS)) {
    const { entries } = await findExcerpts(record, { ...query, text: word, limit: 1 })
    if (entries.length > 0) present.push(word)
    else missing.push(word)
  }
  return [present, missing]
}
