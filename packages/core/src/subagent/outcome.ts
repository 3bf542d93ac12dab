import type { SessionID } from "../base/ids.ts"
import type { JournalDeps } from "../store/journal.ts"
import { writeSession } from "../store/write.ts"
import type { Session } from "../record/message.ts"
import type { InTurn } from "../store/turns.ts"
import type { Write } from "../contracts/storage.ts"

/** What became of the work for one call. It stands with the child's session, so that it outlives the parent's process. */
export interface Outcome {
  /** Of the call. */
  readonly key: string
  readonly status: "completed" | "failed"
  /** Why it failed, a sentence. */
  readonly reason?: string
}

const OUTCOME = "outcome"

/** Undefined while nothing has become of it. */
export function readOutcome({ metadata }: Session, key: string): Outcome | undefined {
  const stored = metadata?.[OUTCOME]
  if (typeof stored !== "object" || stored === null) return undefined
  const { key: of, status, reason } = stored as { readonly [K in keyof Outcome]?: unknown }
  if (of !== key || (status !== "completed" && status !== "failed")) return undefined
  return { key, status, ...(typeof reason === "string" ? { reason } : {}) }
}

/** Durable when it resolves. */
export async function storeOutcome(
  deps: JournalDeps & { readonly inTurn: InTurn },
  sessionID: SessionID,
  outcome: Outcome,
): Promise<void> {
  await deps.inTurn(sessionID, async () => {
    const session = await deps.storage.getSession(sessionID)
    // It was removed while it worked.
    if (!session) return
    const metadata = { ...session.metadata, [OUTCOME]: { ...outcome } }
    const writes: Write[] = [{ type: "session.patch", changes: { metadata } }]
    await writeSession(deps, sessionID, writes)
  })
}
