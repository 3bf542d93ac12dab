import { excerpt, type MessageID, type SessionID } from "@pawl/core/record"
import { searchWords } from "@pawl/core/storage"
import { displayName } from "../display-name.ts"
import { describePart } from "./recalled-text.ts"
import type { SessionRecord } from "./session-record.ts"

/** The tool's name: its own calls are never found, since they hold the words that they looked for. */
export const RECALL = "recall"

export interface RecallQuery {
  readonly text: string
  readonly sessionID: SessionID
  /** The message that asks: nothing of it is found. */
  readonly messageID: MessageID
  /** How many excerpts. */
  readonly limit: number
  readonly signal: AbortSignal
}

export interface Excerpts {
  /** One for each part that was found, the newest first. */
  readonly entries: readonly string[]
  /** There are more than were asked for. */
  readonly hasMore: boolean
}

const EXCERPT_LENGTH = 300

/** More parts than these are not looked at. */
const MOST_HITS = 500

/** Of a query, so many words are looked for alone. */
const MOST_WORDS = 8

/** What of the session holds every word. */
export async function findExcerpts(record: SessionRecord, query: RecallQuery): Promise<Excerpts> {
  const { text, sessionID, messageID, limit, signal } = query
  const entries: string[] = []
  for await (const hit of record.search({ text, sessionID, limit: MOST_HITS })) {
    signal.throwIfAborted()
    if (hit.messageID === messageID) continue
    const found = await record.readPart(hit)
    // Absent: it was removed meanwhile.
    if (!found || (found.part.type === "tool" && found.part.tool === RECALL)) continue
    if (entries.length >= limit) return { entries, hasMore: true }
    const shown = displayName(excerpt(hit.text, text, EXCERPT_LENGTH))
    entries.push(`${hit.partID} (${describePart(found.message, found.part)})\n  ${shown}`)
  }
  return { entries, hasMore: false }
}

/** Which of the query's words the session holds at all. */
export async function wordsAlone(record: SessionRecord, query: RecallQuery): Promise<readonly [string[], string[]]> {
  const [found, missing]: [string[], string[]] = [[], []]
  for (const word of searchWords(query.text).slice(0, MOST_WORDS)) {
    const { entries } = await findExcerpts(record, { ...query, text: word, limit: 1 })
    if (entries.length > 0) found.push(word)
    else missing.push(word)
  }
  return [found, missing]
}
