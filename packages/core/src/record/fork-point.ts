import { contextStart, isComplete, markerPart } from "./compaction-record.ts"
import type { MessageID, PartID } from "../base/ids.ts"
import type { MessageWithParts, Session } from "./message.ts"

/** The end of a fork. Default: the end of the session */
export interface ForkPoint {
  /** First message that is left out. */
  readonly messageID?: MessageID | undefined
  /** First part that is left out. The message is included up to this part, if it has content before it. */
  readonly partID?: PartID | undefined
}

/** Returns the part of a message that goes into the fork, or undefined. A cut answer is not finished. */
export function cutMessage(message: MessageWithParts, { messageID, partID }: ForkPoint): MessageWithParts | undefined {
  const { info, parts } = message
  if (messageID === undefined || info.id < messageID) return message
  if (info.id !== messageID || partID === undefined) return undefined
  const kept = parts.filter((part) => part.id < partID)
  // The start of a step has no content.
  if (kept.every((part) => part.type === "step-start")) return undefined
  if (info.role === "user") return { info, parts: kept }
  const { error: _error, ...answer } = info
  return { info: { ...answer, finish: "unknown" }, parts: kept }
}

/** Finds the start of a fork's context. Pass all messages of the fork to `look`, newest first. */
export interface BoundarySearch {
  look(message: MessageWithParts): void
  /** Returns the start of the context. Undefined: the first message. */
  found(): MessageID | undefined
}

/**
 * Creates a search for the start of a context. The newest compaction whose summary is in the fork decides. Without such
 * a compaction, a fork of the whole session starts at the boundary of its source.
 */
export function createBoundarySearch(
  { boundary }: Pick<Session, "boundary">,
  { messageID }: ForkPoint,
): BoundarySearch {
  const summarized = new Set<MessageID>()
  let newest: MessageID | undefined
  return {
    look(message) {
      const { info } = message
      if (info.role === "assistant") {
        if (info.summary && isComplete(info)) summarized.add(info.parentID)
      } else if (summarized.has(info.id) && markerPart(message)?.prepared !== true) {
        newest ??= contextStart(message)
      }
    },
    found: () => newest ?? (messageID === undefined ? boundary : undefined),
  }
}
