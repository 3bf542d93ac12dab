import { requireStorable } from "@pawl/storage-kit"
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
  type SessionChanges,
  type SessionID,
  type Write,
} from "@pawl/core/storage"

type Value = Session | Message | Part

/** The state of a record after its last commit. A session has the key ("", ""), a message (id, ""). */
interface Entry {
  readonly messageID: MessageID | ""
  readonly partID: PartID | ""
  readonly revision: Revision
  /** Undefined if the record was removed. */
  readonly value: Value | undefined
}

/** The records of one session. Reads take time in proportion to their result, not to the size of the session. */
export interface SessionRecord {
  revision: Revision
  /** The last entry of each record. */
  readonly entries: Map<string, Entry>
  /** In the order written. Readers skip an entry that is not the last one of its record. */
  log: Entry[]
  /** Stored messages, ascending. */
  readonly messageIDs: MessageID[]
  /** Stored parts by message, ascending. */
  readonly partIDs: Map<MessageID, PartID[]>
}

export function emptyRecord(): SessionRecord {
  return { revision: 0, entries: new Map(), log: [], messageIDs: [], partIDs: new Map() }
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
    requireStorable(id, write)
    switch (write.type) {
      case "session.put":
        put("", "", write.session)
        break
      case "session.patch":
        put("", "", patched(find("", "") as Session, write.changes))
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
        for (const partID of partsOf(record, staged, write.messageID)) {
          if (find(write.messageID, partID)) put(write.messageID, partID, undefined)
        }
        put(write.messageID, "", undefined)
        break
      case "part.remove":
        if (find(write.messageID, write.partID)) put(write.messageID, write.partID, undefined)
        break
    }
  }
  for (const [key, entry] of staged) apply(record, key, entry)
  if (record.log.length > 2 * record.entries.size) record.log = record.log.filter((entry) => isLast(record, entry))
  record.revision = revision
  return revision
}

/** Removes fields whose new value is undefined. */
function patched(session: Session, changes: SessionChanges): Session {
  return { ...session, ...changes, time: { ...session.time, ...changes.time } } as Session
}

function apply({ entries, log, messageIDs, partIDs }: SessionRecord, key: string, entry: Entry): void {
  entries.set(key, entry)
  log.push(entry)
  const { messageID, partID, value } = entry
  if (messageID === "") return
  const parts = partIDs.get(messageID) ?? []
  partIDs.set(messageID, parts)
  if (partID === "") keep(messageIDs, messageID, value !== undefined)
  else keep(parts, partID, value !== undefined)
}

/** Adds or removes an id of an ascending list. Ids are nearly always the newest, so the search starts at the end. */
function keep<ID extends string>(list: ID[], id: ID, isThere: boolean): void {
  const before = list.findLastIndex((other) => other <= id)
  const isKnown = list[before] === id
  if (isThere && !isKnown) list.splice(before + 1, 0, id)
  if (!isThere && isKnown) list.splice(before, 1)
}

function isLast({ entries }: SessionRecord, entry: Entry): boolean {
  return entries.get(entryKey(entry.messageID, entry.partID)) === entry
}

export function sessionOf(record: SessionRecord): Session {
  return copy(storedSession(record))
}

/** Returns the stored value itself; callers copy it for readers. */
export function storedSession({ entries }: SessionRecord): Session {
  return entries.get(entryKey("", ""))?.value as Session
}

/** Returns ids from `from` on and before `before`, oldest first. */
export function messageIDsOf(
  { messageIDs }: SessionRecord,
  { from, before }: { readonly from?: string | undefined; readonly before?: string | undefined } = {},
): MessageID[] {
  const start = from === undefined ? 0 : messageIDs.findLastIndex((id) => id < from) + 1
  const end = before === undefined ? undefined : messageIDs.findLastIndex((id) => id < before) + 1
  return messageIDs.slice(start, end)
}

/** Returns the stored values themselves, parts by id; callers copy them for readers. */
export function messageOf({ entries, partIDs }: SessionRecord, id: MessageID): MessageWithParts {
  const info = entries.get(entryKey(id, ""))?.value as Message
  const parts = (partIDs.get(id) ?? []).map((partID) => entries.get(entryKey(id, partID))?.value as Part)
  return { info, parts }
}

export function changesOf(record: SessionRecord, after: Revision): Change[] {
  const start = record.log.findLastIndex((entry) => entry.revision <= after) + 1
  return record.log
    .slice(start)
    .filter((entry) => isLast(record, entry))
    .map(toChange)
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

/** Returns stored and staged parts. */
function partsOf(record: SessionRecord, staged: ReadonlyMap<string, Entry>, id: MessageID): PartID[] {
  const written = [...staged.values()].flatMap(({ messageID, partID }) =>
    messageID === id && partID !== "" ? partID : [],
  )
  return [...new Set([...(record.partIDs.get(id) ?? []), ...written])].toSorted(compareText)
}

function entryKey(messageID: string, partID: string): string {
  return JSON.stringify([messageID, partID])
}

/** Copies as JSON, so that callers cannot change the stored value. Removes undefined fields. */
export function copy<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T
}

function missingMessage(id: SessionID, messageID: MessageID): NotFoundError {
  return new NotFoundError(`Message ${messageID} does not exist in session ${id}.`)
}
