import type { Engine, MessageWithParts, Session, SessionID } from "@pawl/core"
import { createArrangement, justAfter, type MessageID } from "@pawl/core/record"
import { z } from "zod"
import { findMessage } from "./find-message.ts"
import { TaggedError } from "./request-error.ts"
import { isCompactionMarker, type NewerMessage, newerMessage } from "./shapes/newer-message.ts"

type Reader = Pick<Engine, "getSession" | "readMessages">

const cursor = z.object({
  id: z.templateLiteral(["msg_", z.string()]),
  order: z.enum(["asc", "desc"]),
  direction: z.enum(["previous", "next"]),
})

/** A place in the messages of a session, and the side of it that is wanted. */
export type MessagePlace = Omit<z.infer<typeof cursor>, "id"> & { readonly id: MessageID | undefined }

export interface MessagePage {
  readonly data: readonly NewerMessage[]
  /**
   * A side has no cursor if it is known to have no messages. The cursor of a side is also there if the message of the
   * request's cursor was on it and has been removed.
   */
  readonly cursor: { readonly previous?: string; readonly next?: string }
}

export function readMessageCursor(text: string): MessagePlace {
  try {
    return cursor.parse(JSON.parse(Buffer.from(text, "base64url").toString()))
  } catch {
    throw new TaggedError(400, "InvalidCursorError", {
      message: '"cursor" is not valid: use a value of "cursor" in an earlier answer.',
    })
  }
}

function writeMessageCursor(place: MessagePlace): string {
  return Buffer.from(JSON.stringify(place)).toString("base64url")
}

/** Reads a page of messages in the form of OpenCode's newer interface. Keeps no more messages than those of the page. */
export async function readMessagePage(
  engine: Reader,
  sessionID: SessionID,
  { id, order, direction }: MessagePlace,
  limit: number,
): Promise<MessagePage> {
  const isOlder = (order === "desc") === (direction === "next")
  // The message after the page tells if there is another page on this side.
  const found = isOlder
    ? await olderMessages(engine, sessionID, id, limit + 1)
    : await newerMessages(engine, sessionID, id, limit + 1)
  const page = found.slice(0, limit)
  const sorted = isOlder === (order === "desc") ? page : page.toReversed()
  const hasMore = found.length > limit
  // The message that the cursor names is on the other side, unless it was removed.
  const hasPrevious = direction === "previous" ? hasMore : id !== undefined
  const hasNext = direction === "next" ? hasMore : id !== undefined
  const [first, last] = [sorted.at(0), sorted.at(-1)]
  const place = (message: MessageWithParts, to: MessagePlace["direction"]) => {
    return writeMessageCursor({ id: message.info.id, order, direction: to })
  }
  return {
    data: await Promise.all(sorted.map((message) => withMarker(engine, message))),
    cursor: {
      ...(first && hasPrevious ? { previous: place(first, "previous") } : {}),
      ...(last && hasNext ? { next: place(last, "next") } : {}),
    },
  }
}

/** Converts a message. A summary is read with the message that asked for it. */
export async function withMarker(engine: Reader, message: MessageWithParts): Promise<NewerMessage> {
  const { info } = message
  const isSummary = info.role === "assistant" && info.summary === true
  return newerMessage(message, isSummary ? await findMessage(engine, info.sessionID, info.parentID) : undefined)
}

/** Reads the messages that the next request would contain, in its order. Waiting prompts are not among them. */
export async function readContext(engine: Reader, session: Session): Promise<NewerMessage[]> {
  const { boundary = "" } = session
  const stored: MessageWithParts[] = []
  for await (const message of engine.readMessages(session.id)) {
    if (message.info.id < boundary) break
    const isWaiting = message.info.role === "user" && message.info.delivery?.state === "waiting"
    const kept = isWaiting ? undefined : withoutUndone(message, session)
    if (kept) stored.push(kept)
  }
  const { summaryMessages, conversation } = createArrangement()(stored.toReversed())
  const ordered = [...summaryMessages, ...conversation].filter((message) => !isCompactionMarker(message))
  return Promise.all(ordered.map((message) => withMarker(engine, message)))
}

/** Leaves out what is undone: the next prompt removes it. */
function withoutUndone(message: MessageWithParts, { revert }: Session): MessageWithParts | undefined {
  if (!revert || message.info.id < revert.messageID) return message
  const { partID } = revert
  if (message.info.id !== revert.messageID || partID === undefined) return undefined
  return { ...message, parts: message.parts.filter(({ id }) => id < partID) }
}

/** Returns messages before an id, newest first. Default: the newest ones */
async function olderMessages(
  engine: Reader,
  sessionID: SessionID,
  before: MessageID | undefined,
  limit: number,
): Promise<MessageWithParts[]> {
  const found: MessageWithParts[] = []
  for await (const message of engine.readMessages(sessionID, before === undefined ? {} : { before })) {
    if (isCompactionMarker(message)) continue
    found.push(message)
    if (found.length === limit) break
  }
  return found
}

/** Returns messages after an id, oldest first. Default: the oldest ones */
async function newerMessages(
  engine: Reader,
  sessionID: SessionID,
  after: MessageID | undefined,
  limit: number,
): Promise<MessageWithParts[]> {
  // Storages read from the newest message on.
  const ids: MessageID[] = []
  for await (const message of engine.readMessages(sessionID, { assistantParts: false })) {
    if (after !== undefined && message.info.id <= after) break
    if (isCompactionMarker(message)) continue
    ids.push(message.info.id)
    if (ids.length > limit) ids.shift()
  }
  const [newest] = ids
  if (newest === undefined) return []
  return (await olderMessages(engine, sessionID, justAfter(newest), ids.length)).toReversed()
}
