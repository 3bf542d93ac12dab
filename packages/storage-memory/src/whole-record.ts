import {
  blobReferences,
  matchesWords,
  type MessageWithParts,
  type SearchHit,
  type SearchQuery,
  searchText,
  searchWords,
  type Session,
  type StorageStats,
} from "@pawl/core/storage"
import { compareText, messageIDsOf, messageOf, type SessionRecord, sessionOf } from "./record.ts"

type Records = Iterable<SessionRecord>

/** Returns hits from the newest part to the oldest. */
export function searchRecords(records: Records, query: SearchQuery): SearchHit[] {
  const wanted = searchWords(query.text)
  return everyPart([...records].filter((record) => isAsked(sessionOf(record), query)))
    .flatMap((part) => {
      const text = searchText(part)
      if (text === undefined || !matchesWords(searchWords(text), wanted)) return []
      return { sessionID: part.sessionID, messageID: part.messageID, partID: part.id, text }
    })
    .toSorted((a, b) => compareText(b.partID, a.partID))
    .slice(0, query.limit)
}

export function referencedBlobs(records: Records): Set<string> {
  return new Set(everyValue(records).flatMap((value) => blobReferences(JSON.stringify(value))))
}

export function statsOf(records: Records, blobSizes: readonly number[]): StorageStats {
  const all = [...records]
  const kinds = {
    session: all.map((record) => byteLength(sessionOf(record))),
    message: everyMessage(all).map(({ info }) => byteLength(info)),
    part: everyPart(all).map(byteLength),
    blob: blobSizes,
  }
  const { session, message, part, blob } = kinds
  return {
    records: { session: count(session), message: count(message), part: count(part), blob: count(blob) },
    totalBytes: sum([...session, ...message, ...part, ...blob]),
  }
}

function isAsked(session: Session, { sessionID, directory, projectID }: SearchQuery): boolean {
  return (
    (sessionID === undefined || session.id === sessionID) &&
    (directory === undefined || session.directory === directory) &&
    (projectID === undefined || session.projectID === projectID)
  )
}

function everyMessageOf(record: SessionRecord): MessageWithParts[] {
  return messageIDsOf(record).map((id) => messageOf(record, id))
}

function everyMessage(records: Records): MessageWithParts[] {
  return [...records].flatMap((record) => everyMessageOf(record))
}

function everyPart(records: Records): MessageWithParts["parts"][number][] {
  return everyMessage(records).flatMap(({ parts }) => parts)
}

function everyValue(records: Records): unknown[] {
  return [...records].flatMap((record) => [sessionOf(record), ...everyMessageOf(record)])
}

function byteLength(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}

function count(bytes: readonly number[]): { count: number; bytes: number } {
  return { count: bytes.length, bytes: sum(bytes) }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
