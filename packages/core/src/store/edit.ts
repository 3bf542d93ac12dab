import type { SessionID } from "../base/ids.ts"
import type { Lease, Storage } from "../contracts/storage.ts"
import { acquireSoon } from "./acquire-soon.ts"
import type { InTurn } from "./turns.ts"

export interface EditDeps {
  readonly storage: Pick<Storage, "acquire">
  readonly inTurn: InTurn
  /** Name of this engine in leases. */
  readonly owner: string
  readonly deadlines: { readonly lease: number }
  /** Returns whether this engine runs the session. */
  readonly isRunning: (id: SessionID) => boolean
}

/**
 * Runs a read and the write that depends on it, one at a time per session: after other edits of this engine, and under
 * the session's lease unless this engine runs the session. `purpose` names the edit in the lease. The work gets no
 * lease if another process holds the session for longer than a moment.
 */
export function editSession<T>(
  deps: EditDeps,
  sessionID: SessionID,
  purpose: string,
  work: (lease: Lease | undefined) => Promise<T>,
): Promise<T> {
  return deps.inTurn(sessionID, async () => {
    const owner = `${deps.owner}:${purpose}`
    const isHeld = deps.isRunning(sessionID)
    const lease = isHeld ? undefined : await acquireSoon(deps.storage, sessionID, owner, deps.deadlines.lease)
    try {
      return await work(lease)
    } finally {
      // A lease that cannot be released expires.
      await lease?.release().catch(() => undefined)
    }
  })
}
