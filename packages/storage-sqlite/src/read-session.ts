import type { Context, Session, SessionID } from "@pawl/core"
import type { Connection } from "./connection.ts"
import { messagesBetween } from "./read-messages.ts"
import { findRecord, findSession, missingSession, readRecord, requireSession } from "./record.ts"

export function readSession(connection: Connection, id: SessionID): Session | undefined {
  const head = findSession(connection, id)
  return head && sessionValue(connection, head.key)
}

/** The session, then one range of the record: what lies before the boundary is not touched. */
export function readContext(connection: Connection, id: SessionID): Context {
  const head = requireSession(connection, id)
  const session = sessionValue(connection, head.key)
  if (!session) throw missingSession(id)
  const messages = messagesBetween(connection, head.key, { from: session.boundary ?? "msg_" })
  return { session, revision: head.revision, messages }
}

function sessionValue(connection: Connection, key: number): Session | undefined {
  const row = findRecord(connection, key, { messageID: "", partID: "" })
  return row && (readRecord(connection, row) as Session)
}
