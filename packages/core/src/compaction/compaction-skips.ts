import { MOST_SKIPS } from "./ladder/limits.ts"
import type { Write } from "../contracts/storage.ts"
import type { CompactionInput } from "./draft-summary.ts"
import type { Session } from "../record/message.ts"

// Compactions that a hook skipped in a row are counted in the session's metadata.
const SKIPS = "compactionSkips"

/** Whether a hook may skip this compaction: the next request fits all the same, and it was not skipped too often. */
export function isSkippable({
  checked,
  history,
  record,
}: Pick<CompactionInput, "checked" | "history" | "record">): boolean {
  const { expected, policy } = checked
  const fits = expected.tokens + expected.margin < policy.window
  return fits && !record.part.overflow && skipsOf(history.session) < MOST_SKIPS
}

/** As if it had not been asked for, except that the skip is counted. */
export function skipWrites({ history, record }: Pick<CompactionInput, "history" | "record">): Write[] {
  const metadata = { ...history.session.metadata, [SKIPS]: skipsOf(history.session) + 1 }
  return [
    { type: "message.remove", messageID: record.marker.info.id },
    { type: "session.patch", changes: { metadata } },
  ]
}

export function skipsReset({ metadata }: Session): Write[] {
  if (metadata?.[SKIPS] === undefined) return []
  const { [SKIPS]: _skips, ...others } = metadata
  return [{ type: "session.patch", changes: { metadata: others } }]
}

function skipsOf({ metadata }: Session): number {
  const skips = metadata?.[SKIPS]
  return typeof skips === "number" ? skips : 0
}
