import type { JSONObject, Session } from "@pawl/core/record"
import { isObject, without } from "./json.ts"

/**
 * The field of `metadata` that marks a session which is not whole yet. It holds the session's id, so that it says
 * nothing of another session that was given the same metadata, such as a fork.
 */
const UNFINISHED = "unfinishedTransfer"

const TITLE = "Unfinished transfer: "

/** Whether a transfer of this session is going on or was interrupted: it has only some of its messages. */
export function isUnfinished({ id, metadata }: Session): boolean {
  const mark = isObject(metadata) ? metadata[UNFINISHED] : undefined
  return mark === true || mark === id
}

/** The session as it stands until its transfer is finished. */
export function unfinished(session: Session): Session {
  return {
    ...(without(session, ["boundary"]) as Session),
    title: `${TITLE}${session.title}`,
    metadata: { ...session.metadata, [UNFINISHED]: session.id },
    time: { ...session.time, archived: session.time.archived ?? session.time.updated },
  }
}

/** Title and metadata without what marks an unfinished transfer, for a session that is to stand for itself. */
export function withoutMark({ title, metadata }: Pick<Session, "title" | "metadata">): {
  title: string
  metadata: JSONObject
} {
  return {
    title: title.startsWith(TITLE) ? title.slice(TITLE.length) : title,
    metadata: without(metadata ?? {}, [UNFINISHED]) as JSONObject,
  }
}
