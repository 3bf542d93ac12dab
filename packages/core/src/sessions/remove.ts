import type { EventBus } from "../contracts/events.ts"
import type { SessionID } from "../base/ids.ts"
import type { Lease, Storage } from "../contracts/storage.ts"
import { acquireSoon, busyError } from "../store/acquire-soon.ts"
import { isUnfinishedFork } from "../record/fork-marker.ts"
import type { Session } from "../record/message.ts"
import { keepRenewed } from "../store/renewal.ts"
import type { Runs } from "../run/run-api.ts"

export interface RemoveDeps {
  readonly storage: Storage
  readonly bus: EventBus
  readonly runs: Pick<Runs, "abort">
  /** Names this engine in leases. */
  readonly owner: string
  readonly deadlines: { readonly lease: number }
}

export interface RemoveOptions {
  /**
   * Called with the session and all sessions below it, parents first, when no run holds them and before the removal. A
   * caller can copy them here. If it rejects, nothing is removed.
   */
  readonly before?: (sessions: readonly Session[]) => Promise<void>
}

/** Removes a session and all sessions below it. Holds their leases meanwhile. */
export async function removeSession(deps: RemoveDeps, session: Session, { before }: RemoveOptions = {}): Promise<void> {
  const sessions = await withDescendants(deps, session)
  await Promise.all(sessions.map(({ id }) => deps.runs.abort(id)))
  const release = await takeAll(deps, sessions)
  try {
    await before?.(sessions.filter((each) => !isUnfinishedFork(each)))
    await deps.storage.removeSession(session.id)
  } finally {
    await release()
  }
  // Publish children first, so that listeners never get a child after its parent.
  for (const info of sessions.toReversed()) {
    if (!isUnfinishedFork(info)) deps.bus.publish("session.deleted", { sessionID: info.id, info })
  }
}

/** Returns the session and all sessions below it, parents first. */
async function withDescendants({ storage }: RemoveDeps, root: Session): Promise<Session[]> {
  const sessions = [root]
  const seen = new Set<SessionID>([root.id])
  for (const { id } of sessions) {
    for await (const child of storage.listSessions({ parentID: id })) {
      if (seen.has(child.id)) continue
      seen.add(child.id)
      sessions.push(child)
    }
  }
  return sessions
}

/** Acquires all sessions. Rejects with SessionBusyError, and holds no lease, if another run owns a session. */
async function takeAll(
  { storage, owner, deadlines }: RemoveDeps,
  sessions: readonly Session[],
): Promise<() => Promise<void>> {
  const held: { readonly lease: Lease; readonly stopRenewal: () => void }[] = []
  const release = async () => {
    for (const { stopRenewal } of held) stopRenewal()
    await Promise.all(held.map(({ lease }) => lease.release().catch(() => undefined)))
  }
  try {
    for (const { id } of sessions) {
      // Use another owner than this engine's runs, which would acquire their own session again.
      const lease = await acquireSoon(storage, id, `${owner}:remove`, deadlines.lease)
      if (!lease) throw await busyError(storage, id)
      held.push({ lease, stopRenewal: keepRenewed(lease, deadlines.lease, () => undefined) })
    }
  } catch (error) {
    await release()
    throw error
  }
  return release
}
