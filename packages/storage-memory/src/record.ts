import {
  type Change,
  type Message,
  type MessageID,
  type MessageWithParts,
  NotFoundError,
  type Part,
  type PartID,
  type Revision,
  type Session,
  type SessionID,
  StorageError,
  type Write,
} from "@pawl/core"

type Value = Session | Message | Part

/** What a record was left in by its last commit. The session itself is ("", ""), a message (id, ""). */
interface Entry {
  readonly messageID: MessageID | ""
  readonly partID: PartID | ""
  readonly revision: Revision
  /** Absent when the record was removed. */
  readonly value: Value | undefined
}

/** One session's records, in the order in which they were last written. */
export interface SessionRecord {
  revision: Revision
  readonly entries: Map<string, Entry>
}

/** Applies the writes in order, or throws and leaves the record as it was. */
export function commitWrites(id: SessionID, record: SessionRecord, writes: readonly Write[]): Revision {
  if (record.revision === 0 && writes[0]?.type !== "session.put") throw missingSession(id)
  const revision = record.revision + 1
  const staged = new Map<string, Entry>()

  function put(messageID: MessageID | "", partID: PartID | "", value: Value | undefined): void {
    const key = entryKey(messageID, partID)
    staged.delete(key)
    staged.set(key, { messageID, partID, revision, value: value && copy(value) })
  }
  function find(messageID: MessageID | "", partID: PartID | ""): Value | undefined {
    const key = entryKey(messageID, partID)
    return (staged.get(key) ?? record.entries.get(key))?.value
  }

  for (const write of writes) {
    requireSameSession(id, write)
    switch (write.type) {
      case "session.put":
        put("", "", write.session)
        break
      case "session.patch":
        put("", "", { ...find("", ""), ...write.changes } as Session)
        break
      case "message.put":
        put(write.message.id, "", write.message)
        break
      case "part.put":
        if (!find(write.part.messageID, "")) throw missingMessage(id, write.part.messageID)
        put(write.part.messageID, write.part.id, write.part)
        break
      case "message.remove":
        if (!find(write.messageID, "")) break
        for (const partID of partIDs([record.entries, staged], write.messageID)) {
          if (find(write.messageID, partID)) put(write.messageID, partID, undefined)
        }
        put(write.messageID, "", undefined)
        break
      case "part.remove":
        if (find(write.messageID, write.partID)) put(write.messageID, write.partID, undefined)
        break
    }
  }
  for (const [key, entry] of staged) {
    record.entries.delete(key)
    record.entries.set(key, entry)
  }
  record.revision = revision
  return revision
}

export function sessionOf({ entries }: SessionRecord): Session {
  return copy(entries.get(entryKey("", ""))?.value as Session)
}

/** Oldest first, parts by id: the stored values themselves, of which readers are to get copies. */
export function messagesOf({ entries }: SessionRecord, isAsked: (id: MessageID) => boolean): MessageWithParts[] {
  const messages = new Map<MessageID, { info: Message; parts: Part[] }>()
  const stored = [...entries.values()].filter(({ messageID, value }) => {
    return messageID !== "" && value !== undefined && isAsked(messageID)
  })
  // A message sorts before its parts.
  for (const { messageID, partID, value } of stored.toSorted(byID)) {
    if (partID === "") messages.set(messageID as MessageID, { info: value as Message, parts: [] })
    else messages.get(messageID as MessageID)?.parts.push(value as Part)
  }
  return [...messages.values()]
}

export function changesOf({ entries }: SessionRecord, after: Revision): Change[] {
  return [...entries.values()].filter((entry) => entry.revision > after).map(toChange)
}

export function missingSession(id: SessionID): NotFoundError {
  return new NotFoundError(`Session ${id} does not exist.`)
}

export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function toChange({ messageID, partID, revision, value }: Entry): Change {
  if (messageID === "") return { type: "session.put", revision, session: copy(value as Session) }
  if (partID === "") {
    return value
      ? { type: "message.put", revision, message: copy(value as Message) }
      : { type: "message.remove", revision, messageID }
  }
  return value
    ? { type: "part.put", revision, part: copy(value as Part) }
    : { type: "part.remove", revision, messageID, partID }
}

function partIDs(entries: readonly Map<string, Entry>[], messageID: MessageID): PartID[] {
  const parts = entries.flatMap((some) => [...some.values()]).filter((entry) => entry.messageID === messageID)
  return [...new Set(parts.flatMap((entry) => entry.partID || []))].toSorted(compareText)
}

function byID(a: Entry, b: Entry): number {
  return compareText(a.messageID, b.messageID) || compareText(a.partID, b.partID)
}

function entryKey(messageID: string, partID: string): string {
  return JSON.stringify([messageID, partID])
}

/** A JSON value of its own, so that nobody who wrote or read it can change the record. Undefined fields fall away. */
export function copy<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T
}

function requireSameSession(id: SessionID, write: Write): void {
  const record = "session" in write ? write.session.id : undefined
  const named = "message" in write ? write.message.sessionID : "part" in write ? write.part.sessionID : record
  if (named !== undefined && named !== id) {
    throw new StorageError(`A record of session ${named} cannot be committed to session ${id}.`)
  }
}

function missingMessage(id: SessionID, messageID: MessageID): NotFoundError {
  return new NotFoundError(`Message ${messageID} does not exist in session ${id}.`)
}
