import { requireSameSession } from "@pawl/storage-kit"
import { type Session, type SessionID, type Write } from "@pawl/core"
import { toColumn } from "./column.ts"
import { type ListingColumns, listingColumns } from "./listing.ts"

/** One row to write; `data` is JSON where it is put. */
export interface RecordWrite {
  readonly kind: "put" | "message.remove" | "part.remove"
  readonly messageID: string
  readonly partID: string
  readonly data: string | null
}

/** A commit as it was asked for, out of reach of its caller, who goes on while it waits. */
export interface PreparedCommit {
  /** Whether it may make the session. */
  readonly creates: boolean
  /** What it does to messages and parts, with a place held for the session itself. */
  readonly records: readonly (RecordWrite | "session")[]
  /** The session after this commit, given the JSON it has before; undefined where the commit leaves it alone. */
  readonly session: SessionEdit | undefined
}

export type SessionEdit =
  | { readonly type: "put"; readonly session: Session; readonly json: string }
  /** Fields to JSON, or to undefined where they are removed. */
  | { readonly type: "patch"; readonly changes: ReadonlyMap<string, string | undefined> }

/** Refuses a record that names another session than the one it is to be stored in. */
export function prepareCommit(sessionID: SessionID, writes: readonly Write[]): PreparedCommit {
  let session: SessionEdit | undefined
  const records: (RecordWrite | "session")[] = []
  for (const write of writes) {
    requireSameSession(sessionID, write)
    if (write.type === "session.put" || write.type === "session.patch") {
      session = edited(session, write)
      // A record that is written twice stands where it was written last.
      const earlier = records.indexOf("session")
      if (earlier >= 0) records.splice(earlier, 1)
      records.push("session")
    } else {
      records.push(toRecordWrite(write))
    }
  }
  return { creates: writes[0]?.type === "session.put", records, session }
}

/** The session's JSON after an edit, with what lists are made from. */
export function applyEdit(
  edit: SessionEdit,
  base: string,
): { readonly json: string; readonly listing: ListingColumns } {
  if (edit.type === "put") return { json: edit.json, listing: listingColumns(edit.session) }
  const session = patched(JSON.parse(base) as Session, edit.changes)
  return { json: JSON.stringify(session), listing: listingColumns(session) }
}

type SessionWrite = Extract<Write, { type: "session.put" | "session.patch" }>

function edited(before: SessionEdit | undefined, write: SessionWrite): SessionEdit {
  if (write.type === "session.put") {
    const json = JSON.stringify(write.session)
    return { type: "put", json, session: JSON.parse(json) as Session }
  }
  const changes = new Map(Object.entries(write.changes).map(([name, value]) => [name, JSON.stringify(value)]))
  if (before?.type === "put") {
    const session = patched(before.session, changes)
    return { type: "put", json: JSON.stringify(session), session }
  }
  return { type: "patch", changes: new Map([...(before?.changes ?? []), ...changes]) }
}

/** The session with the named fields set or removed. */
function patched(session: Session, changes: ReadonlyMap<string, string | undefined>): Session {
  const fields = new Map<string, unknown>(Object.entries(session))
  for (const [name, json] of changes) {
    if (json === undefined) fields.delete(name)
    else fields.set(name, JSON.parse(json))
  }
  return Object.fromEntries(fields) as unknown as Session
}

function toRecordWrite(write: Exclude<Write, SessionWrite>): RecordWrite {
  switch (write.type) {
    case "message.put":
      return { kind: "put", messageID: toColumn(write.message.id), partID: "", data: JSON.stringify(write.message) }
    case "part.put": {
      const { id, messageID } = write.part
      return { kind: "put", messageID: toColumn(messageID), partID: toColumn(id), data: JSON.stringify(write.part) }
    }
    case "message.remove":
      return { kind: write.type, messageID: toColumn(write.messageID), partID: "", data: null }
    case "part.remove":
      return { kind: write.type, messageID: toColumn(write.messageID), partID: toColumn(write.partID), data: null }
  }
}
