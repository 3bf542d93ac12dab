import { MAX_SKIPS } from "./ladder/limits.ts"
import type { Write } from "../contracts/storage.ts"
import type { CompactionInput } from "./draft-summary.ts"
import type { Session } from "../record/message.ts"

// Key in the session's metadata: the number of compactions that a hook has skipped in a row.
const SKIPS_KEY = "compactionSkips"

/** Returns whether a hook may skip this compaction: the next request still fits, and few compactions were skipped. */
export function isSkippable({
  checked,
  history,
  record,
}: Pick<CompactionInput, "checked" | "history" | "record">): boolean {
  const { expected, policy } = checked
  const fits = expected.tokens + expected.margin < policy.window
  return fits && !record.part.overflow && skipsOf(history.session) < MAX_SKIPS
}

/** Returns the writes that remove the marker and count the skip. */
export function skipWrites({ history, record }: Pick<CompactionInput, "history" | "record">): Write[] {
  const metadata = { ...history.session.metadata, [SKIPS_KEY]: skipsOf(history.session) + 1 }
  return [
    { type: "message.remove", messageID: record.marker.info.id },
    { type: "session.patch", changes: { metadata } },
  ]
}

export function skipsReset({ metadata }: Session): Write[] {
  if (metadata?.[SKIPS_KEY] === undefined) return []
  const { [SKIPS_KEY]: _skips, ...others } = metadata
  return [{ type: "session.patch", changes: { metadata: others } }]
}

function skipsOf({ metadata }: Session): number {
  const skips = metadata?.[SKIPS_KEY]
  return typeof skips === "number" ? skips : 0
}
