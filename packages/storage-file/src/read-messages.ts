import type {
  Context,
  Message,
  MessageID,
  MessageQuery,
  MessageWithParts,
  Part,
  SessionID,
  StorageProblem,
} from "@pawl/core/storage"
import { readPack, savePack } from "./context-pack.ts"
import { missingSession } from "./errors.ts"
import { messagePath } from "./layout.ts"
import { listMessages, listParts, type RecordEntry } from "./record-directory.ts"
import { type Found, readMessageFile, readPartFile, readSessionFile } from "./record-file.ts"
import { consistently } from "./session-access.ts"
import { findSession, visibleRevision } from "./session-head.ts"
import { messageIDs } from "./session-records.ts"
import type { Store } from "./store.ts"
import { StorageError } from "@pawl/core/storage"

const PAGE_MESSAGES = 50

/**
 * Reads messages from the session's boundary on. Of earlier messages, lists only the names, and only if they have
 * changed.
 */
export function readContext(store: Store, id: SessionID): Promise<Context> {
  return consistently(store, id, () => {
    const path = findSession(store, id)
    const found = path === undefined ? undefined : readSessionFile(store, path, id)
    if (!found) throw missingSession(id)
    if (!found.value) throw new StorageError(found.problem.message)
    const session = found.value
    const problems: StorageProblem[] = []
    const from = session.boundary ?? ""
    const { entries, foreign } = listMessages(store, id, from, store.messageNames.from(id, from))
    problems.push(...foreign.filter(({ subject }) => subject >= from))
    const selected = entries.filter((entry) => entry.id === undefined || entry.id >= from)
    const began = Date.now()
    const damaged = new Set<string>()
    const pack = readPack(store, id, new Set(selected.flatMap((entry) => entry.id ?? [])))
    const others = selected.filter((entry) => entry.id === undefined || !pack.messages.has(entry.id))
    const read = readAll<Message>(
      others,
      (entry) => readMessageFile(store, entry.path, { ...entry, sessionID: id }),
      problems,
    )
      .filter((message) => message.id >= from)
      .map((info) => {
        const earlier = problems.length
        const parts = readParts(store, info, problems)
        if (problems.length > earlier) damaged.add(info.id)
        return { info, parts }
      })
    const messages = [...pack.messages.values(), ...read].sort((a, b) => (a.info.id < b.info.id ? -1 : 1))
    savePack(store, id, messages, { pack, began, damaged })
    const revision = visibleRevision(store, id)
    return { session, revision, messages, ...(problems.length > 0 && { damaged: problems }) }
  })
}

/**
 * Yields messages, newest first. Reads the ids once and the messages page by page, so that a slow reader does not block
 * others.
 */
export async function* readMessages(
  store: Store,
  id: SessionID,
  { before, limit = Number.POSITIVE_INFINITY, assistantParts = true }: MessageQuery = {},
): AsyncGenerator<MessageWithParts> {
  const ids = await consistently(store, id, () => messageIDs(store, id))
  const selected = before === undefined ? ids : ids.filter((messageID) => messageID < before)
  let left = limit
  for (let end = selected.length; end > 0 && left > 0; end -= PAGE_MESSAGES) {
    const page = selected.slice(Math.max(0, end - PAGE_MESSAGES), end).toReversed()
    for (const message of await consistently(store, id, () => readPage(store, id, page, assistantParts))) {
      if (left-- <= 0) return
      yield message
    }
  }
}

/** Skips messages that are deleted or unreadable. */
export function readPage(
  store: Store,
  sessionID: SessionID,
  ids: readonly MessageID[],
  assistantParts = true,
): MessageWithParts[] {
  return ids.flatMap((id) => {
    const info = readMessageFile(store, messagePath(sessionID, id), { sessionID, id })?.value
    if (!info) return []
    return { info, parts: assistantParts || info.role === "user" ? readParts(store, info, []) : [] }
  })
}

function readParts(store: Store, { sessionID, id: messageID }: Message, problems: StorageProblem[]): Part[] {
  const { entries, foreign } = listParts(store, sessionID, messageID)
  problems.push(...foreign)
  return readAll<Part>(
    entries,
    (entry) => readPartFile(store, entry.path, { ...entry, sessionID, messageID }),
    problems,
  )
}

/** Returns the readable records by id. */
function readAll<T extends { readonly id: string }>(
  entries: readonly RecordEntry[],
  read: (entry: RecordEntry) => Found<T> | undefined,
  problems: StorageProblem[],
): T[] {
  const values: T[] = []
  for (const entry of entries) {
    const found = read(entry)
    if (found?.problem) problems.push(found.problem)
    else if (found) values.push(found.value)
  }
  return values.sort((a, b) => (a.id < b.id ? -1 : 1))
}
