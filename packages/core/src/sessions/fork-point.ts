import { contextStart, isComplete, markerPart } from "../record/compaction-record.ts"
import type { MessageID, PartID } from "../base/ids.ts"
import type { MessageWithParts, Session } from "../record/message.ts"

/** Where a fork ends. Nothing given: with the session. */
export interface ForkPoint {
  /** The first message that is left out. */
  readonly messageID?: MessageID | undefined
  /** With it the message goes along up to this part, which is left out, where anything stands before it. */
  readonly partID?: PartID | undefined
}

/** What of a message goes into the fork; undefined where nothing does. An answer that is cut is no finished one. */
export function cutMessage(message: MessageWithParts, { messageID, partID }: ForkPoint): MessageWithParts | undefined {
  const { info, parts } = message
  if (messageID === undefined || info.id < messageID) return message
  if (info.id !== messageID || partID === undefined) return undefined
  const kept = parts.filter((part) => part.id < partID)
  // The beginning of a step says nothing by itself.
  if (kept.every((part) => part.type === "step-start")) return undefined
  if (info.role === "user") return { info, parts: kept }
  const { error: _error, ...answer } = info
  return { info: { ...answer, finish: "unknown" }, parts: kept }
}

/** Is shown the messages that go into a fork, newest first, and finds where its context starts. */
export interface BoundarySearch {
  look(message: MessageWithParts): void
  /** Undefined: with the first message. */
  found(): MessageID | undefined
}

/**
 * A context starts where the newest compaction says whose summary has come along. Where none has, a fork of the whole
 * session starts where its source does.
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
