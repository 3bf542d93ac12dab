import type { Message, MessageID, Part, PartID, SearchHit, SearchQuery, SessionID, Storage } from "@pawl/core/storage"

/** Stored sessions, including what is no longer in a context. */
export interface SessionRecord {
  /** Newest first. */
  search(query: Pick<SearchQuery, "text" | "limit"> & { readonly sessionID: SessionID }): AsyncIterable<SearchHit>
  /** Returns undefined if the session has no such part. A known `messageID` saves a search. */
  readPart(address: PartAddress): Promise<RecordedPart | undefined>
}

export interface PartAddress {
  readonly sessionID: SessionID
  readonly partID: PartID
  readonly messageID?: MessageID | undefined
}

export interface RecordedPart {
  readonly message: Message
  readonly part: Part
}

/** Number of messages to search near the time in a part's id, before the whole session is read. */
const NEARBY_MESSAGES = 50

export function sessionRecord(storage: Pick<Storage, "search" | "readMessages">): SessionRecord {
  async function findPart({ sessionID, partID }: PartAddress, before?: string, limit?: number) {
    const query = { ...(before === undefined ? {} : { before: before as MessageID }), ...(limit ? { limit } : {}) }
    for await (const { info, parts } of storage.readMessages(sessionID, query)) {
      const part = parts.find(({ id }) => id === partID)
      if (part) return { message: info, part }
    }
    return undefined
  }

  return {
    search: (query) => storage.search(query),
    async readPart(address) {
      const { partID, messageID } = address
      // The smallest id after this message, so that the message itself comes first.
      if (messageID !== undefined) return findPart(address, `${messageID}0`, 1)
      // Ids begin with their time, and a message is older than its parts.
      const time = /^prt_([0-9A-Za-z]{10})/.exec(partID)?.[1]
      const near = time === undefined ? undefined : await findPart(address, `msg_${time}zz`, NEARBY_MESSAGES)
      return near ?? findPart(address)
    },
  }
}
