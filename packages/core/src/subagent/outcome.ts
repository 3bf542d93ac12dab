import type { SessionID } from "../base/ids.ts"
import type { JournalDeps } from "../store/journal.ts"
import { writeSession } from "../store/write.ts"
import type { Session } from "../record/message.ts"
import type { InTurn } from "../store/turns.ts"
import type { Write } from "../contracts/storage.ts"

/** Outcome of the work for a call. Stored with the child's session, so that it survives the parent's process. */
export interface Outcome {
  /** Key of the call. */
  readonly key: string
  readonly status: "completed" | "failed"
  /** Reason of the failure, as a sentence. */
  readonly reason?: string
  /** Facts about the directory of its own in which the work was done. */
  readonly note?: string
}

const OUTCOME_KEY = "outcome"

/** Returns the stored outcome, or undefined if the work has not ended. */
export function readOutcome({ metadata }: Session, key: string): Outcome | undefined {
  const stored = metadata?.[OUTCOME_KEY]
  if (typeof stored !== "object" || stored === null) return undefined
  const { key: of, status, reason, note } = stored as { readonly [K in keyof Outcome]?: unknown }
  if (of !== key || (status !== "completed" && status !== "failed")) return undefined
  return {
    ...{ key, status },
    ...(typeof reason === "string" ? { reason } : {}),
    ...(typeof note === "string" ? { note } : {}),
  }
}

/** Stores the outcome. Resolves when the outcome is durable. */
export async function storeOutcome(
  deps: JournalDeps & { readonly inTurn: InTurn },
  sessionID: SessionID,
  outcome: Outcome,
): Promise<void> {
  await deps.inTurn(sessionID, async () => {
    const session = await deps.storage.getSession(sessionID)
    // The session was removed while it ran.
    if (!session) return
    const metadata = { ...session.metadata, [OUTCOME_KEY]: { ...outcome } }
    const writes: Write[] = [{ type: "session.patch", changes: { metadata } }]
    await writeSession(deps, sessionID, writes)
  })
}
