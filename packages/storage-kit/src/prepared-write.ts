import {
  type MessageID,
  type PartID,
  type Session,
  type SessionChanges,
  type SessionID,
  StorageError,
  type Write,
} from "@pawl/core/storage"

/** A copy of a write, which its caller cannot change while the commit waits for others. */
export type PreparedWrite =
  | { readonly type: "session.put"; readonly json: string; readonly session: Session }
  /** Field name to JSON; undefined removes the field. Within `time`, null removes a field. */
  | { readonly type: "session.patch"; readonly changes: ReadonlyMap<string, string | undefined> }
  | { readonly type: "message.put"; readonly messageID: MessageID; readonly json: string }
  | { readonly type: "part.put"; readonly messageID: MessageID; readonly partID: PartID; readonly json: string }
  | { readonly type: "message.remove"; readonly messageID: MessageID }
  | { readonly type: "part.remove"; readonly messageID: MessageID; readonly partID: PartID }

/** Throws what `requireStorable` throws. */
export function prepareWrite(sessionID: SessionID, write: Write): PreparedWrite {
  requireStorable(sessionID, write)
  switch (write.type) {
    case "session.put": {
      const json = JSON.stringify(write.session)
      return { type: write.type, json, session: JSON.parse(json) as Session }
    }
    case "session.patch": {
      const { time, ...others } = write.changes
      const changes = new Map<string, string | undefined>()
      for (const [name, value] of Object.entries(others)) changes.set(name, JSON.stringify(value))
      if (time)
        changes.set(
          "time",
          JSON.stringify(time, (_name, value: unknown) => value ?? null),
        )
      return { type: write.type, changes }
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

/** Returns the session with the named fields set or removed, and `time` merged field by field. */
export function patched(session: Session, changes: ReadonlyMap<string, string | undefined>): Session {
  const fields = new Map<string, unknown>(Object.entries(session))
  for (const [name, json] of changes) {
    if (json === undefined) fields.delete(name)
    else if (name === "time") fields.set(name, merged(session.time, JSON.parse(json) as NullableTime))
    else fields.set(name, JSON.parse(json))
  }
  return Object.fromEntries(fields) as unknown as Session
}

type NullableTime = { readonly [K in keyof Session["time"]]: Session["time"][K] | null }

function merged(time: Session["time"], changes: NullableTime): object {
  return Object.fromEntries(Object.entries({ ...time, ...changes }).filter(([, value]) => value !== null))
}

/**
 * Throws StorageError if a record names another session than `sessionID`, or if a session's parent or boundary is not a
 * string. Such records could not be read again.
 */
export function requireStorable(sessionID: SessionID, write: Write): void {
  const named = namedSession(write)
  if (named !== undefined && named !== sessionID) {
    throw new StorageError(`A record of session ${named} cannot be committed to session ${sessionID}.`)
  }
  const fields = sessionFields(write)
  for (const name of ["parentID", "boundary"] as const) {
    const value: unknown = fields[name]
    if (value === undefined || typeof value === "string") continue
    throw new StorageError(`Session ${sessionID} cannot be stored: its ${name} is not an id: ${JSON.stringify(value)}.`)
  }
}

function sessionFields(write: Write): SessionChanges {
  if (write.type === "session.put") return write.session
  return write.type === "session.patch" ? write.changes : {}
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
