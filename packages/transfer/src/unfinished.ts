import type { JSONObject, Session } from "@pawl/core/record"
import { isObject, without } from "./json.ts"

/**
 * Field of `metadata` that marks an incomplete session. It holds the session's id, so that a fork with copied metadata
 * is not marked.
 */
const UNFINISHED = "unfinishedTransfer"

const TITLE = "Unfinished transfer: "

/** Returns true if a transfer of this session is running or was interrupted, so it may lack messages. */
export function isUnfinished({ id, metadata }: Session): boolean {
  const mark = isObject(metadata) ? metadata[UNFINISHED] : undefined
  return mark === true || mark === id
}

/** Returns the session as it is stored until its transfer is finished. */
export function unfinished(session: Session): Session {
  return {
    ...(without(session, ["boundary"]) as Session),
    title: `${TITLE}${session.title}`,
    metadata: { ...session.metadata, [UNFINISHED]: session.id },
    time: { ...session.time, archived: session.time.archived ?? session.time.updated },
  }
}

/** Returns title and metadata without the mark of an unfinished transfer. */
export function withoutMark({ title, metadata }: Pick<Session, "title" | "metadata">): {
  title: string
  metadata: JSONObject
} {
  return {
    title: title.startsWith(TITLE) ? title.slice(TITLE.length) : title,
    metadata: without(metadata ?? {}, [UNFINISHED]) as JSONObject,
  }
}
