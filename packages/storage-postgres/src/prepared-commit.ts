import { patched, type PreparedWrite, prepareWrite } from "@pawl/storage-kit"
import type { Session, SessionID, Write } from "@pawl/core/storage"
import { toColumn } from "./column.ts"
import { type ListingColumns, listingColumns } from "./listing.ts"

/** A row to write. `data` is JSON, for `put` only. */
export interface RecordWrite {
  readonly kind: "put" | "message.remove" | "part.remove"
  readonly messageID: string
  readonly partID: string
  readonly data: string | null
}

/** A checked copy of a commit, so that the caller may change its writes while the commit waits. */
export interface PreparedCommit {
  /** True if the commit may create the session. */
  readonly creates: boolean
  /** Writes to messages and parts, in order, with a placeholder for the session itself. */
  readonly records: readonly (RecordWrite | "session")[]
  /**
   * Returns the session after this commit from its previous JSON; undefined if the commit does not change the session.
   */
  readonly session: SessionEdit | undefined
}

export type SessionEdit =
  | { readonly type: "put"; readonly session: Session; readonly json: string }
  /** Applied in order. */
  | { readonly type: "patch"; readonly patches: readonly Changes[] }

type Changes = ReadonlyMap<string, string | undefined>

/** Throws if a record names another session than the one it is stored in. */
export function prepareCommit(sessionID: SessionID, writes: readonly Write[]): PreparedCommit {
  let session: SessionEdit | undefined
  const records: (RecordWrite | "session")[] = []
  for (const write of writes) {
    const prepared = prepareWrite(sessionID, write)
    if (prepared.type === "session.put" || prepared.type === "session.patch") {
      session = edited(session, prepared)
      // A record that is written twice has the position of its last write.
      const earlier = records.indexOf("session")
      if (earlier >= 0) records.splice(earlier, 1)
      records.push("session")
    } else {
      records.push(toRecordWrite(prepared))
    }
  }
  return { creates: writes[0]?.type === "session.put", records, session }
}

/** Returns the session's JSON after an edit, with its columns in the session list. */
export function applyEdit(
  edit: SessionEdit,
  base: string,
): { readonly json: string; readonly listing: ListingColumns } {
  if (edit.type === "put") return { json: edit.json, listing: listingColumns(edit.session) }
  const session = edit.patches.reduce(patched, JSON.parse(base) as Session)
  return { json: JSON.stringify(session), listing: listingColumns(session) }
}

type SessionWrite = Extract<PreparedWrite, { type: "session.put" | "session.patch" }>

function edited(before: SessionEdit | undefined, write: SessionWrite): SessionEdit {
  if (write.type === "session.put") return { type: "put", json: write.json, session: write.session }
  if (before?.type === "put") {
    const session = patched(before.session, write.changes)
    return { type: "put", json: JSON.stringify(session), session }
  }
  return { type: "patch", patches: [...(before?.patches ?? []), write.changes] }
}

function toRecordWrite(write: Exclude<PreparedWrite, SessionWrite>): RecordWrite {
  switch (write.type) {
    case "message.put":
      return { kind: "put", messageID: toColumn(write.messageID), partID: "", data: write.json }
    case "part.put":
      return { kind: "put", messageID: toColumn(write.messageID), partID: toColumn(write.partID), data: write.json }
    case "message.remove":
      return { kind: write.type, messageID: toColumn(write.messageID), partID: "", data: null }
    case "part.remove":
      return { kind: write.type, messageID: toColumn(write.messageID), partID: toColumn(write.partID), data: null }
  }
}
