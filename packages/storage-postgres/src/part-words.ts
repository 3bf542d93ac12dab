import { type Part, searchText, searchWords, type SessionID } from "@pawl/core/storage"
import { parseRecord, type RecordRow } from "./record.ts"

/** PostgreSQL accepts 1 MB of words per record. */
const MAX_WORDS_BYTES = 1_000_000

/** Returns the words of a part, separated by spaces; null if it has no text or is unreadable. */
export function wordsOf(sessionID: SessionID, row: RecordRow): string | null {
  if (row.part_id === "") return null
  const { value } = parseRecord(sessionID, row)
  const text = value && searchText(value as Part)
  const words = text === undefined ? [] : searchWords(text)
  if (words.length === 0) return null
  // Truncation can split a surrogate pair.
  const joined = words.join(" ").toWellFormed()
  return Buffer.byteLength(joined) <= MAX_WORDS_BYTES
    ? joined
    : joined.slice(0, MAX_WORDS_BYTES / 4).replace(/ [^ ]*$/, "")
}
