import {
  matchesWords,
  type Part,
  type SearchHit,
  type SearchQuery,
  searchText,
  searchWords,
  type Session,
  type MaintainedStorage,
} from "@pawl/core/storage"
import { collect, type Fault, replacing } from "./fault.ts"

/** How a search is done; what is not given is done as it should be. */
interface Search {
  readonly words?: (text: string) => string[]
  readonly matches?: (words: readonly string[], query: readonly string[]) => boolean
  readonly text?: (part: Part) => string | undefined
  readonly isAsked?: (session: Session, query: SearchQuery) => boolean
}

/** Searches the parts that can be read, in another way than the storage. */
export function searchingBy(search: Search): Fault["open"] {
  return searching(async (storage, query) => ownSearch(storage, query, search))
}

/** Gives the hits that `find` makes. */
export function searching(
  find: (storage: MaintainedStorage, query: SearchQuery) => Promise<readonly SearchHit[]>,
): Fault["open"] {
  return replacing((storage) => ({
    search: async function* (query) {
      yield* await find(storage, query)
    },
  }))
}

export async function ownSearch(
  storage: MaintainedStorage,
  query: SearchQuery,
  { words = searchWords, matches = matchesWords, text: textOf = searchText, isAsked = isAskedFor }: Search = {},
): Promise<SearchHit[]> {
  const hits: SearchHit[] = []
  for (const session of await collect(storage.listSessions())) {
    if (!isAsked(session, query)) continue
    const parts = (await collect(storage.readMessages(session.id))).flatMap((message) => message.parts)
    for (const part of parts) {
      const text = textOf(part)
      if (text === undefined || !matches(words(text), words(query.text))) continue
      hits.push({ sessionID: part.sessionID, messageID: part.messageID, partID: part.id, text })
    }
  }
  return hits.toSorted((a, b) => (a.partID > b.partID ? -1 : 1)).slice(0, query.limit)
}

function isAskedFor(session: Session, { sessionID, directory, projectID }: SearchQuery): boolean {
  return (
    session.id === (sessionID ?? session.id) &&
    session.directory === (directory ?? session.directory) &&
    session.projectID === (projectID ?? session.projectID)
  )
}

/** Finds every text that was ever written, by the handle's own commits. */
export const findingForEver: Fault["open"] = replacing((storage) => {
  const written: SearchHit[] = []
  return {
    commit: async (id, writes, lease) => {
      const revision = await storage.commit(id, writes, lease)
      for (const write of writes) {
        const text = write.type === "part.put" ? searchText(write.part) : undefined
        if (write.type !== "part.put" || text === undefined) continue
        written.unshift({ sessionID: id, messageID: write.part.messageID, partID: write.part.id, text })
      }
      return revision
    },
    search: async function* ({ text, limit }) {
      yield* written.filter((hit) => matchesWords(searchWords(hit.text), searchWords(text))).slice(0, limit)
    },
  }
})
