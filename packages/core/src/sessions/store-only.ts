import type { Deadlines } from "../base/deadlines.ts"
import type { MessageID, SessionID } from "../base/ids.ts"
import type { Storage } from "../contracts/storage.ts"
import { acquireSoon, busyError } from "../store/acquire-soon.ts"
import type { Admission } from "../inbox/admit.ts"
import type { Runs } from "../run/run-api.ts"

export interface StoreOnlyDeps {
  readonly storage: Pick<Storage, "acquire" | "leaseHolder">
  readonly deadlines: Pick<Deadlines, "lease">
  readonly owner: string
  readonly runs: Pick<Runs, "has">
}

/**
 * Stores a message without starting a run. A current run of this process reads it at its next step. Rejects with
 * SessionBusyError while another process owns the session.
 */
export async function storeOnly(
  { storage, deadlines, owner, runs }: StoreOnlyDeps,
  sessionID: SessionID,
  store: (admission: Admission) => Promise<MessageID>,
): Promise<MessageID> {
  const { signal } = new AbortController()
  if (runs.has(sessionID)) return store({ signal, isQueued: true, isUnanswered: true })
  const lease = await acquireSoon(storage, sessionID, owner, deadlines.lease)
  if (!lease) throw await busyError(storage, sessionID)
  try {
    return await store({ signal, isQueued: false, isUnanswered: true })
  } finally {
    await lease.release()
  }
}
