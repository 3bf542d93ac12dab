import type { MessageWithParts } from "@pawl/core/storage"
import { derivedIDs, derivedSessionID } from "./derived-ids.ts"
import type { SessionDocument, SessionEntry } from "./document.ts"
import type { Dropped } from "./dropped.ts"
import { messageWithPaths, sessionWithPaths } from "./mapped-paths.ts"
import type { PathMapping } from "./path-mapping.ts"
import { createRecordHash, sha256 } from "./record-hash.ts"
import { renamed } from "./renamed.ts"
import { type Continuation, restrict } from "./restriction.ts"

export interface EntryChanges {
  readonly paths: readonly PathMapping[]
  /** Replaces all ids by new ones, derived from this text and the document. */
  readonly newIDs?: string | undefined
}

/** Returns the document's sessions as they are stored: messages oldest first by id, parts by id. */
export function changedEntries({ sessions }: SessionDocument, { paths, newIDs }: EntryChanges): SessionEntry[] {
  const anew = newIDs === undefined ? sessions.map((entry) => withSortedMessages(entry)) : withNewIDs(sessions, newIDs)
  return anew.map(({ session, messages }) => ({
    session: sessionWithPaths(session, paths),
    messages: messages.map((message) => toEntry(messageWithPaths(message, paths))),
  }))
}

/** Returns the `recordHash` of the entry. */
export function entryHash({ session, messages }: SessionEntry): string {
  const hash = createRecordHash()
  for (const message of sortedMessages(messages)) hash.add(message)
  return hash.of(session)
}

function withNewIDs(sessions: readonly SessionEntry[], salt: string): SessionEntry[] {
  const document = sha256(`${salt}\n${sessions.map(entryHash).join("\n")}`)
  const sessionIDs = new Map<string, string>(
    sessions.map(({ session }) => [session.id, derivedSessionID(session, `${document} ${session.id}`)]),
  )
  return sessions.map((entry) => withNewIDsOf(withSortedMessages(entry), sessionIDs, document))
}

function withNewIDsOf(
  { session, messages }: SessionEntry,
  sessionIDs: ReadonlyMap<string, string>,
  document: string,
): SessionEntry {
  const next = derivedIDs(session, `${document} ${session.id}`)
  const messageIDs = new Map<string, string>(messages.map(({ info }) => [info.id, next.message()]))
  // Part ids are unique only within their message.
  const partIDs = messages.map(({ parts }) => new Map<string, string>(parts.map(({ id }) => [id, next.part()])))
  const allPartIDs = new Map(partIDs.flatMap((ids) => [...ids]))
  return {
    session: renamed(session, sessionIDs, messageIDs, allPartIDs),
    messages: messages.map((message, at) =>
      renamed(message, partIDs[at] ?? allPartIDs, messageIDs, allPartIDs, sessionIDs),
    ),
  }
}

function withSortedMessages(entry: SessionEntry): SessionEntry {
  return { session: entry.session, messages: sortedMessages(entry.messages).map((message) => toEntry(message)) }
}

function sortedMessages(messages: readonly MessageWithParts[]): MessageWithParts[] {
  return messages
    .map(({ info, parts }) => ({ info, parts: parts.toSorted((a, b) => compare(a.id, b.id)) }))
    .toSorted((a, b) => compare(a.info.id, b.info.id))
}

/** Returns what is stored of a foreign document, and what is dropped. */
export function restrictedEntry(
  { session: given, messages: written }: SessionEntry,
  here: Continuation,
): { readonly entry: SessionEntry; readonly dropped: readonly Dropped[] } {
  const restriction = restrict(given, here)
  const newestFirst = written.toReversed().flatMap((each) => restriction.message(each) ?? [])
  const messages = newestFirst.toReversed().map((each) => toEntry(each))
  return { entry: { session: restriction.session, messages }, dropped: restriction.dropped }
}

function toEntry({ info, parts }: MessageWithParts): SessionEntry["messages"][number] {
  return { info, parts: [...parts] }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
