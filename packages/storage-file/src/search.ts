import {
  type LongWork,
  matchesWords,
  type Part,
  type SearchHit,
  type SearchQuery,
  searchText,
  searchWords,
  type SessionID,
} from "@pawl/core/storage"
import { readPage } from "./read-messages.ts"
import { consistently } from "./session-access.ts"
import type { SessionIndex } from "./session-index.ts"
import { messageIDs } from "./session-records.ts"
import type { Store } from "./store.ts"

const PAGE = 50

/** Reads every part of the selected sessions. Correct after changes by other programs, but slow for large storages. */
export async function* searchParts(
  store: Store,
  index: SessionIndex,
  query: SearchQuery,
  { signal, onProgress }: LongWork = {},
): AsyncGenerator<SearchHit> {
  const wanted = searchWords(query.text)
  if (wanted.length === 0) return
  const hits: SearchHit[] = []
  const files = [...index.files()]
  for (const [done, file] of files.entries()) {
    if (signal?.aborted) break
    onProgress?.(done, files.length)
    if (query.sessionID !== undefined && file.id !== query.sessionID) continue
    const head = index.head(file)
    if (!head || (query.directory !== undefined && head.directory !== query.directory)) continue
    if (query.projectID !== undefined && head.projectID !== query.projectID) continue
    for await (const part of partsOfSession(store, file.id)) {
      if (signal?.aborted) break
      const text = searchText(part)
      if (text === undefined || !matchesWords(searchWords(text), wanted)) continue
      hits.push({ sessionID: file.id, messageID: part.messageID, partID: part.id, text })
    }
  }
  yield* hits.sort((a, b) => (a.partID < b.partID ? 1 : a.partID > b.partID ? -1 : 0)).slice(0, query.limit)
}

async function* partsOfSession(store: Store, id: SessionID): AsyncGenerator<Part> {
  const ids = await consistently(store, id, () => messageIDs(store, id))
  for (let start = 0; start < ids.length; start += PAGE) {
    const page = ids.slice(start, start + PAGE)
    for (const { parts } of await consistently(store, id, () => readPage(store, id, page))) yield* parts
    await new Promise((resolve) => setImmediate(resolve))
  }
}
