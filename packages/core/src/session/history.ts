import type { SessionID } from "../ids.ts"
import type { Change, Revision, Storage } from "../storage/storage.ts"
import type { MessageWithParts, Session } from "./message.ts"

export interface HistoryDeps {
  readonly storage: Storage
}

/** The committed messages from the boundary on, as of a revision. A message that did not change keeps its identity. */
export interface History {
  readonly session: Session
  readonly revision: Revision
  readonly messages: readonly MessageWithParts[]
}

export async function openHistory({ storage }: HistoryDeps, sessionID: SessionID): Promise<History> {
  return storage.readContext(sessionID)
}

/** Reads only what was committed since; after the boundary moved it reads from the new one. */
export async function catchUp(deps: HistoryDeps, history: History): Promise<History> {
  const changes = await deps.storage.readChanges(history.session.id, history.revision)
  if (changes.length === 0) return history
  const next = applyChanges(history, changes)
  return next.session.boundary === history.session.boundary ? next : openHistory(deps, history.session.id)
}

/** `changes` in the order of their revisions, each later than the history's. */
export function applyChanges(history: History, changes: readonly Change[]): History {
  const messages = [...history.messages]
  let { session, revision } = history
  // Changed messages are nearly always the newest, so looking from the end is a short walk.
  const indexOf = (id: string) => messages.findLastIndex((message) => message.info.id === id)
  for (const change of changes) {
    revision = Math.max(revision, change.revision)
    switch (change.type) {
      case "session.put":
        session = change.session
        break
      case "message.put": {
        const at = indexOf(change.message.id)
        const known = messages[at]
        if (known) messages[at] = { info: change.message, parts: known.parts }
        else insert(messages, { info: change.message, parts: [] }, (message) => message.info.id)
        break
      }
      case "part.put": {
        const at = indexOf(change.part.messageID)
        const known = messages[at]
        if (!known) break
        const parts = known.parts.filter((part) => part.id !== change.part.id)
        insert(parts, change.part, (part) => part.id)
        messages[at] = { info: known.info, parts }
        break
      }
      case "message.remove": {
        const at = indexOf(change.messageID)
        if (at >= 0) messages.splice(at, 1)
        break
      }
      case "part.remove": {
        const at = indexOf(change.messageID)
        const known = messages[at]
        if (known) messages[at] = { info: known.info, parts: known.parts.filter((part) => part.id !== change.partID) }
        break
      }
    }
  }
  return { session, revision, messages }
}

/** Keeps `list` in ascending order of id. */
function insert<T>(list: T[], item: T, id: (item: T) => string): void {
  const behind = list.findLastIndex((other) => id(other) < id(item))
  list.splice(behind + 1, 0, item)
}
