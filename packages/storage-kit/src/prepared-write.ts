import { type MessageID, type PartID, type Session, type SessionID, StorageError, type Write } from "@pawl/core"

/** A write as it was asked for, out of reach of its caller: commits wait for one another. */
export type PreparedWrite =
  | { readonly type: "session.put"; readonly json: string; readonly session: Session }
  /** Field name to JSON; undefined removes the field. */
  | { readonly type: "session.patch"; readonly changes: ReadonlyMap<string, string | undefined> }
  | { readonly type: "message.put"; readonly messageID: MessageID; readonly json: string }
  | { readonly type: "part.put"; readonly messageID: MessageID; readonly partID: PartID; readonly json: string }
  | { readonly type: "message.remove"; readonly messageID: MessageID }
  | { readonly type: "part.remove"; readonly messageID: MessageID; readonly partID: PartID }

/** Throws what `requireSameSession` throws. */
export function prepareWrite(sessionID: SessionID, write: Write): PreparedWrite {
  requireSameSession(sessionID, write)
  switch (write.type) {
    case "session.put": {
      const json = JSON.stringify(write.session)
      return { type: write.type, json, session: JSON.parse(json) as Session }
    }
    case "session.patch": {
      const fields = Object.entries(write.changes)
      return { type: write.type, changes: new Map(fields.map(([name, value]) => [name, JSON.stringify(value)])) }
    }
    case "message.put":
      return { type: write.type, messageID: write.message.id, json: JSON.stringify(write.message) }
    case "part.put": {
      const { id, messageID } = write.part
      return { type: write.type, messageID, partID: id, json: JSON.stringify(write.part) }
    }
    default:
      return { ...write }
  }
}

/** The session with the named fields set or removed. */
export function patched(session: Session, changes: ReadonlyMap<string, string | undefined>): Session {
  const fields = new Map<string, unknown>(Object.entries(session))
  for (const [name, json] of changes) {
    if (json === undefined) fields.delete(name)
    else fields.set(name, JSON.parse(json))
  }
  return Object.fromEntries(fields) as unknown as Session
}

/** Throws a StorageError for a record that names another session than the one it is to be stored in. */
export function requireSameSession(sessionID: SessionID, write: Write): void {
  const named = namedSession(write)
  if (named === undefined || named === sessionID) return
  throw new StorageError(`A record of session ${named} cannot be committed to session ${sessionID}.`)
}

function namedSession(write: Write): SessionID | undefined {
  switch (write.type) {
    case "session.put":
      return write.session.id
    case "message.put":
      return write.message.sessionID
    case "part.put":
      return write.part.sessionID
    default:
      return undefined
  }
}
