import type { Message, MessageID, Part, PartID, SearchHit, SearchQuery, SessionID, Storage } from "@pawl/core/storage"

/** What was said and done in sessions, as it was stored, whatever of it is in a context still. */
export interface SessionRecord {
  /** Newest first. */
  search(query: Pick<SearchQuery, "text" | "limit"> & { readonly sessionID: SessionID }): AsyncIterable<SearchHit>
  /** Undefined where the session has no such part. `messageID`, where it is known, spares a search. */
  readPart(place: PartPlace): Promise<RecordedPart | undefined>
}

export interface PartPlace {
  readonly sessionID: SessionID
  readonly partID: PartID
  readonly messageID?: MessageID | undefined
}

export interface RecordedPart {
  readonly message: Message
  readonly part: Part
}

/** How far back from where its id says a part is looked for before all of the session is read. */
const NEAR = 50

/** The record that a storage holds. */
export function sessionRecord(storage: Pick<Storage, "search" | "readMessages">): SessionRecord {
  async function findPart({ sessionID, partID }: PartPlace, before?: string, limit?: number) {
    const query = { ...(before === undefined ? {} : { before: before as MessageID }), ...(limit ? { limit } : {}) }
    for await (const { info, parts } of storage.readMessages(sessionID, query)) {
      const part = parts.find(({ id }) => id === partID)
      if (part) return { message: info, part }
    }
    return undefined
  }

  return {
    search: (query) => storage.search(query),
    async readPart(place) {
      const { partID, messageID } = place
      // The next id that could be, so that the message itself comes first.
      if (messageID !== undefined) return findPart(place, `${messageID}0`, 1)
      // Ids begin with their time, and a message is older than its parts.
      const time = /^prt_([0-9A-Za-z]{10})/.exec(partID)?.[1]
      const near = time === undefined ? undefined : await findPart(place, `msg_${time}zz`, NEAR)
      return near ?? findPart(place)
    },
  }
}
