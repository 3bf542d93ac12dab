import type {
  Message,
  MessageID,
  MessageQuery,
  MessageWithParts,
  Part,
  SessionID,
  StorageProblem,
} from "@pawl/core/storage"
import { fromColumn, toColumn } from "./column.ts"
import type { Connection } from "./connection.ts"
import { damagedRecord, missingMessageOf } from "./damage.ts"
import { parseJoined } from "./joined-records.ts"
import { findSession, parseRecord, recordColumns, type RecordRow } from "./record.ts"

/** Most readers stop after the newest message, without a limit in the query. */
const MIN_PAGE = 1
const GROWTH = 4
const MAX_PAGE = 50

/** Yields readable messages, newest first. Each page is a separate read, so that a slow reader does not block others. */
export async function* readMessages(
  connection: Connection,
  id: SessionID,
  query: MessageQuery = {},
): AsyncGenerator<MessageWithParts> {
  let left = query.limit ?? Number.POSITIVE_INFINITY
  let before = query.before
  let most = query.limit === undefined ? MIN_PAGE : MAX_PAGE
  while (left > 0) {
    const size = Math.min(most, left)
    const cursor = before
    const page = await connection.read(() => messagesBefore(connection, id, { ...query, before: cursor, limit: size }))
    yield* page.messages
    if (page.oldest === undefined) return
    left -= page.messages.length
    before = page.oldest
    most = Math.min(most * GROWTH, MAX_PAGE)
  }
}

type MessageRow = readonly [messageID: string, records: string, count: number]

/** Reads messages oldest first, parts by id. The range includes both ends. Skips damaged records, and names them in `damaged`. */
export function messagesBetween(
  connection: Connection,
  session: number,
  range: { from: MessageID; to?: MessageID },
  damaged: StorageProblem[] = [],
): MessageWithParts[] {
  const upTo = range.to === undefined ? [] : [toColumn(range.to)]
  // One row per message, with its parts in one JSON text, takes half the time of one row per record.
  const statement = connection.statement(
    "SELECT message_id, '[' || group_concat(data) || ']', count(*) FROM record " +
      `WHERE session = ? AND message_id >= ? ${upTo.length > 0 ? "AND message_id <= ? " : ""}AND data IS NOT NULL ` +
      "GROUP BY message_id ORDER BY message_id",
  )
  statement.setReturnArrays(true)
  const rows = statement.iterate(session, toColumn(range.from), ...upTo) as Iterable<unknown> as Iterable<MessageRow>
  const messages: MessageWithParts[] = []
  for (const [id, records, count] of rows) {
    // A record in chunks leaves a gap in the list, which is then invalid JSON.
    const message = parseJoined(records, count, fromColumn(id)) ?? messageOf(connection, session, id, damaged)
    if (message) messages.push(message)
  }
  return messages
}

/** Returns a message, which sorts before its parts, and its readable parts. */
function messageOf(
  connection: Connection,
  session: number,
  messageID: string,
  damaged: StorageProblem[],
): MessageWithParts | undefined {
  const rows = connection
    .statement(
      `SELECT ${recordColumns} FROM record WHERE session = ? AND message_id = ? AND data IS NOT NULL ORDER BY part_id`,
    )
    .all(session, messageID) as unknown as RecordRow[]
  let info: Message | undefined
  const parts: Part[] = []
  for (const row of rows) {
    const { value, reason } = parseRecord(connection, row)
    if (reason !== undefined) damaged.push(damagedRecord(connection.path, row, reason))
    else if (row.part_id === "") info = value as Message
    else if (info) parts.push(value as Part)
    else damaged.push(missingMessageOf(connection.path, row))
  }
  return info && { info, parts }
}

interface Page {
  readonly messages: MessageWithParts[]
  /** The next page starts before this id; undefined after the last page. */
  readonly oldest: MessageID | undefined
}

interface PageQuery {
  readonly before: MessageID | undefined
  readonly limit: number
  readonly assistantParts?: boolean
}

function messagesBefore(
  connection: Connection,
  id: SessionID,
  { before, limit, assistantParts = true }: PageQuery,
): Page {
  const session = findSession(connection, id)
  const older = before === undefined ? [] : [toColumn(before)]
  const rows = connection
    .statement(
      `SELECT ${assistantParts ? "message_id" : recordColumns} FROM record WHERE session = ? AND message_id > '' AND part_id = '' ` +
        `${older.length > 0 ? "AND message_id < ? " : ""}AND data IS NOT NULL ORDER BY message_id DESC LIMIT ?`,
    )
    .all(session?.key ?? null, ...older, limit) as unknown as RecordRow[]
  const [newest, last] = [rows[0], rows.at(-1)]
  if (!session || !newest || !last) return { messages: [], oldest: undefined }
  const range = { from: fromColumn(last.message_id) as MessageID, to: fromColumn(newest.message_id) as MessageID }
  const messages = assistantParts
    ? messagesBetween(connection, session.key, range).toReversed()
    : rows.flatMap((row) => withoutAssistantParts(connection, session.key, row) ?? [])
  return { messages, oldest: rows.length < limit ? undefined : range.from }
}

function withoutAssistantParts(connection: Connection, session: number, row: RecordRow): MessageWithParts | undefined {
  const info = parseRecord(connection, row).value as Message | undefined
  return info?.role === "assistant" ? { info, parts: [] } : messageOf(connection, session, row.message_id, [])
}
