import { NotFoundError } from "../base/errors.ts"
import { isRecord } from "../record/compaction-record.ts"
import { isUser, type MessageWithParts, type Session, type UndoStep } from "../record/message.ts"
import { isRequest } from "../record/request-order.ts"
import { requestedCall } from "../record/requested-call.ts"
import { isWaiting } from "../record/waiting.ts"
import { earlier, type SessionPoint } from "./changes-of.ts"

/** Which sides of a session an undo takes back. */
export interface UndoSides {
  readonly chat: boolean
  readonly files: boolean
}

/** The points from which on a session is undone, for each side. */
export interface UndonePoints {
  readonly chat: SessionPoint | undefined
  readonly files: SessionPoint | undefined
}

export function undonePoints({ undo = [] }: Pick<Session, "undo">): UndonePoints {
  return {
    chat: earliest(undo.filter(({ chat }) => chat)),
    files: earliest(undo.filter(({ files }) => files !== undefined)),
  }
}

function earliest(steps: readonly UndoStep[]): SessionPoint | undefined {
  return steps
    .map((step): SessionPoint => step)
    .reduce<SessionPoint | undefined>(
      (first, { messageID, partID }) => (first ? earlier(first, { messageID, partID }) : { messageID, partID }),
      undefined,
    )
}

/**
 * Returns where an undo of the last turn begins: at the newest request that is not undone on a wanted side. `messages`:
 * newest first; read no further than needed. Undefined if nothing is left.
 */
export async function lastTurn(
  messages: AsyncIterable<MessageWithParts>,
  points: UndonePoints,
  { chat, files }: UndoSides,
): Promise<SessionPoint | undefined> {
  const isUndone = (point: SessionPoint | undefined, id: string) => point !== undefined && id >= point.messageID
  for await (const message of messages) {
    if (!isTurn(message)) continue
    const { id } = message.info
    if ((!chat || isUndone(points.chat, id)) && (!files || isUndone(points.files, id))) continue
    return { messageID: id }
  }
  return undefined
}

/** Returns whether the user began a turn with the message: by a text, a file, a command for a subagent, or a call. */
function isTurn(message: MessageWithParts): boolean {
  if (isWaiting(message) || isRecord(message)) return false
  if (isRequest(message) || requestedCall(message)) return true
  return isUser(message) && message.parts.some(({ type }) => type === "subtask")
}

/**
 * Returns the point that a client names: a part, or a message. If no text and no call of an answer
 * remains, the point is the message that it answers. Throws NotFoundError for an unknown part.
 */
export function namedPoint({ info, parts }: MessageWithParts, partID: string | undefined): SessionPoint {
  if (partID === undefined) return { messageID: info.id }
  if (!parts.some(({ id }) => id === partID)) throw new NotFoundError(`Message ${info.id} has no part ${partID}.`)
  const isKept = parts.some(({ id, type }) => id < partID && (type === "text" || type === "tool"))
  if (isKept) return { messageID: info.id, partID }
  return { messageID: info.role === "assistant" ? info.parentID : info.id }
}
