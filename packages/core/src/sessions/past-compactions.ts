import { compactionsOf, type CompactionRecord, isRecord, isSettled, isStatePart } from "../record/compaction-record.ts"
import { inputTokens } from "../measure/measured-request.ts"
import type { MessageID, SessionID } from "../base/ids.ts"
import type { Storage } from "../contracts/storage.ts"
import type { MessageWithParts, ModelRef } from "../record/message.ts"

/** A compaction in the session's record. */
export interface PastCompaction {
  /** Id of the message that requests it. */
  readonly id: MessageID
  /** Time of the request, in epoch milliseconds. */
  readonly time: number
  /** False if a user or program requested it. */
  readonly auto: boolean
  readonly focus?: string
  /**
   * `pending`: the next run makes it. Background compactions: `prepared` if the summary waits for a full window,
   * `unused` if another one replaced it, `unfinished` if it is running or was interrupted.
   */
  readonly status: "applied" | "pending" | "failed" | "prepared" | "unused" | "unfinished"
  /** `summary`, `extract` or `tail`. Missing without a result, and if another program made it. */
  readonly strategy?: string
  /** The reason if no model's summary is used, or if the compaction failed. */
  readonly reason?: string
  /** The model that wrote the summary. */
  readonly model?: ModelRef
  /** Cost in US dollars. */
  readonly cost?: number
  /** Number of model calls of compactions since the agent's last good answer, including this one. */
  readonly calls: number
  /**
   * Tokens of the last request before it was applied, and of the first request after. Missing without such a request.
   */
  readonly before?: number
  readonly after?: number
}

interface Step {
  readonly partID: string
  readonly tokens: number
}

/** Returns all compactions of the session, oldest first. Reads all messages, including those before the boundary. */
export async function pastCompactions(
  { storage }: { readonly storage: Pick<Storage, "readMessages"> },
  sessionID: SessionID,
): Promise<PastCompaction[]> {
  const records: MessageWithParts[] = []
  const steps: Step[] = []
  for await (const message of storage.readMessages(sessionID)) {
    if (isRecord(message)) records.push(message)
    else steps.push(...stepsOf(message))
  }
  steps.sort((a, b) => (a.partID < b.partID ? -1 : 1))
  const found = compactionsOf(records.toReversed())
  return found.map((record) => toPast(record, steps, record === found.at(-1)))
}

function stepsOf({ parts }: MessageWithParts): Step[] {
  return parts.flatMap((part) => {
    if (part.type !== "step-finish") return []
    const tokens = inputTokens(part.tokens) || (part.measured?.estimate ?? 0)
    return tokens > 0 ? [{ partID: part.id, tokens }] : []
  })
}

function toPast(record: CompactionRecord, steps: readonly Step[], isNewest: boolean): PastCompaction {
  const { marker, part, summary } = record
  const text = summary?.parts.find((each) => each.type === "text")
  const { strategy, reason = summary?.info.error?.data.message } = text?.metadata ?? {}
  const settled = summary && isSettled(summary.info) ? summary.info : undefined
  return {
    ...{ id: marker.info.id, time: marker.info.time.created, auto: part.auto, calls: part.calls ?? 0 },
    status: statusOf(record, isNewest),
    ...(part.focus === undefined ? {} : { focus: part.focus }),
    ...(typeof strategy === "string" && !settled?.error ? { strategy } : {}),
    ...(typeof reason === "string" ? { reason } : {}),
    ...(settled ? { model: { providerID: settled.providerID, modelID: settled.modelID }, cost: settled.cost } : {}),
    ...(record.isApplied ? aroundIt(record, steps) : {}),
  }
}

function statusOf({ isApplied, part, summary }: CompactionRecord, isNewest: boolean): PastCompaction["status"] {
  if (isApplied) return "applied"
  if (summary?.info.error) return "failed"
  if (!part.prepared) return "pending"
  if (!summary || !isSettled(summary.info)) return "unfinished"
  return isNewest ? "prepared" : "unused"
}

/**
 * Returns the tokens before and after. The state is written when a compaction is applied, and ids of parts sort by
 * time.
 */
function aroundIt({ marker }: CompactionRecord, steps: readonly Step[]): Pick<PastCompaction, "before" | "after"> {
  const applied = marker.parts.find((part) => isStatePart(part))?.id
  if (applied === undefined) return {}
  const before = steps.findLast(({ partID }) => partID < applied)
  const after = steps.find(({ partID }) => partID > applied)
  return { ...(before ? { before: before.tokens } : {}), ...(after ? { after: after.tokens } : {}) }
}
