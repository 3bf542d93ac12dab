import type { Context, MessageID, Revision, Session, SessionID, StorageProblem } from "@pawl/core/storage"
import { fromColumn, toColumn } from "./column.ts"
import { missingSession } from "./committer.ts"
import type { Connection } from "./connection.ts"
import { createMessages, parseRecord } from "./record.ts"

/** The session's record, and its columns in the session list, which replace an unreadable record. */
export interface SessionRow {
  readonly id: string
  readonly data: string | null
  readonly parent_id: string | null
  readonly project_id: string
  readonly directory: string
  readonly title: string
  readonly archived: boolean
  readonly boundary: string | null
}

export const sessionColumns =
  "l.id, r.data, l.parent_id, l.project_id, l.directory, l.title, l.archived, l.boundary " +
  "FROM pawl.listing l LEFT JOIN pawl.record r ON r.session = l.session AND r.message_id = '' AND r.part_id = ''"

export async function readSession(connection: Connection, id: SessionID): Promise<Session | undefined> {
  const [row] = await connection.query<SessionRow>(`SELECT ${sessionColumns} WHERE l.id = $1`, [toColumn(id)])
  return row && toSession(row).session
}

export async function readRevisions(
  connection: Connection,
  ids: readonly SessionID[],
): Promise<Map<SessionID, Revision>> {
  const rows = await connection.query<{ readonly id: string; readonly revision: number }>(
    "SELECT l.id, s.revision FROM pawl.listing l JOIN pawl.session s ON s.key = l.session WHERE l.id = ANY($1)",
    [ids.map((id) => toColumn(id))],
  )
  return new Map(rows.map(({ id, revision }) => [fromColumn(id) as SessionID, revision]))
}

/** Returns the stored session or, if its record is unreadable, one made from the session list. */
export function toSession(row: SessionRow): { readonly session: Session; readonly problem?: StorageProblem } {
  const id = fromColumn(row.id) as SessionID
  const { value, problem } = parseRecord(id, { message_id: "", part_id: "", data: row.data ?? "" })
  return problem ? { session: listedSession(id, row), problem } : { session: value as Session }
}

interface ContextRow extends SessionRow {
  readonly revision: number
  readonly message_id: string | null
  readonly part_id: string | null
  readonly record: string | null
}

/**
 * Reads the session and one range of its messages in one statement. Does not read messages before the boundary, nor the
 * session's own record, which sorts before all messages.
 */
export async function readContext(connection: Connection, id: SessionID): Promise<Context> {
  const { head, messages, damaged } = await connection.read(
    `WITH head AS MATERIALIZED (SELECT l.session AS key, s.revision, ${sessionColumns}
       JOIN pawl.session s ON s.key = l.session WHERE l.id = $1)
     SELECT head.*, NULL AS message_id, NULL AS part_id, NULL AS record FROM head
     UNION ALL (
       SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, m.message_id, m.part_id, m.data
       FROM head JOIN pawl.record m ON m.session = head.key
       WHERE m.message_id >= greatest(head.boundary, 'msg') AND m.data IS NOT NULL)
     ORDER BY message_id NULLS FIRST, part_id`,
    [toColumn(id)],
    () => createContextReader(id),
  )
  if (!head) throw missingSession(id)
  const { session, problem } = toSession(head)
  const problems = problem ? [problem, ...damaged] : damaged
  return { session, revision: head.revision, messages, ...(problems.length > 0 && { damaged: problems }) }
}

/** Parses each row when it arrives, because the rows of a long session take as much memory as its messages. */
function createContextReader(id: SessionID) {
  const reader = createMessages(id)
  const { messages, damaged } = reader
  let head: ContextRow | undefined
  return {
    ...{ messages, damaged },
    get head() {
      return head
    },
    add(row: ContextRow) {
      if (head) reader.add({ message_id: row.message_id ?? "", part_id: row.part_id ?? "", data: row.record ?? "" })
      else head = row
    },
  }
}

/** Builds a session with a damaged record from the session list, so that it can still be listed and read. */
function listedSession(id: SessionID, row: SessionRow): Session {
  return {
    id,
    projectID: fromColumn(row.project_id),
    directory: fromColumn(row.directory),
    title: row.title,
    version: "",
    ...(row.parent_id !== null && { parentID: fromColumn(row.parent_id) as SessionID }),
    ...(row.boundary !== null && { boundary: fromColumn(row.boundary) as MessageID }),
    time: { created: 0, updated: 0, ...(row.archived && { archived: 0 }) },
  }
}
