import { callsMade, type CompactionRecord, markerPart } from "../record/compaction-record.ts"
import type { IDSource } from "../base/ids.ts"
import type { Write } from "../contracts/storage.ts"
import type { History } from "../store/history.ts"
import type { CompactionPart, MessageWithParts, ModelRef, UserMessage } from "../record/message.ts"

export interface MarkerDeps {
  readonly ids: IDSource
  readonly now: () => number
}

/** Returns the writes that request a compaction. A run of any process that finds the marker in the history compacts. */
export function markerWrites(
  { ids, now }: MarkerDeps,
  { session, messages }: Pick<History, "session" | "messages">,
  { agent, model }: { readonly agent: string; readonly model: ModelRef },
  request: Pick<CompactionPart, "auto" | "overflow" | "usable" | "focus" | "prepared">,
): Write[] {
  const id = ids.message(messages.at(-1)?.info.id)
  const owner = { sessionID: session.id, messageID: id }
  const calls = callsMade(messages, { isAuto: request.auto })
  const message: UserMessage = {
    ...{ id, sessionID: session.id, role: "user", agent, model },
    time: { created: now() },
  }
  return [
    { type: "message.put", message },
    {
      type: "part.put",
      part: { ...owner, id: ids.part(), type: "compaction", ...request, ...(calls > 0 ? { calls } : {}) },
    },
  ]
}

/** Returns the record of the marker that these writes put. */
export function recordOf(writes: readonly Write[]): CompactionRecord {
  const [put, ...others] = writes
  if (put?.type !== "message.put" || put.message.role !== "user")
    throw new TypeError("These writes ask for no compaction.")
  const parts = others.flatMap((write) => (write.type === "part.put" ? [write.part] : []))
  const marker: MessageWithParts<UserMessage> = { info: put.message, parts }
  return { marker, part: markerPart(marker) as CompactionPart, summary: undefined, isApplied: false }
}
