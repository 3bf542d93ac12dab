import type { Context, MessageID, Revision, Session, SessionID, StorageProblem } from "@pawl/core/storage"
import type { Connection } from "./connection.ts"
import { damagedRecord } from "./damage.ts"
import { messagesBetween } from "./read-messages.ts"
import { findRecord, findSession, missingSession, parseRecord, requireSession } from "./record.ts"
import { sessionFromRow } from "./session-row.ts"

export function readSession(connection: Connection, id: SessionID): Session | undefined {
  const head = findSession(connection, id)
  return head && sessionValue(connection, head.key)
}

export function readRevisions(connection: Connection, ids: readonly SessionID[]): Map<SessionID, Revision> {
  return new Map(
    ids.flatMap((id) => {
      const head = findSession(connection, id)
      return head ? [[id, head.revision]] : []
    }),
  )
}

/** The session, then one range of the record: what lies before the boundary is not touched. */
export function readContext(connection: Connection, id: SessionID): Context {
  const head = requireSession(connection, id)
  const damaged: StorageProblem[] = []
  const session = sessionValue(connection, head.key, damaged)
  if (!session) throw missingSession(id)
  const messages = messagesBetween(connection, head.key, { from: firstAsked(session) }, damaged)
  return { session, revision: head.revision, messages, ...(damaged.length > 0 && { damaged }) }
}

/** Not before the first id of any message: the session's own record stands before them. */
function firstAsked({ boundary = "msg_" }: Session): MessageID {
  return boundary > "msg_" ? boundary : "msg_"
}

/** Builds an unreadable session from its columns in the session list, so that its messages can still be reached. */
export function sessionValue(connection: Connection, key: number, damaged: StorageProblem[] = []): Session | undefined {
  const row = findRecord(connection, key, { messageID: "", partID: "" })
  if (!row) return sessionFromRow(connection, key)
  const { value, reason } = parseRecord(connection, row)
  if (reason === undefined) return value as Session
  const session = sessionFromRow(connection, key)
  damaged.push(damagedRecord(connection.path, { ...row, sessionID: session?.id }, reason))
  return session
}
