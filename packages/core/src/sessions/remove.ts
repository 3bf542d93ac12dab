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
   * Called with the session and all below it, parents first, when nobody works on them any more and nothing is removed
   * yet: the time to keep a copy. When it rejects nothing is removed.
   */
  readonly before?: (sessions: readonly Session[]) => Promise<void>
}

/** Removes a session and all below it, none of which anybody works on meanwhile. */
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
  // As they would go one by one: nobody hears of a child whose parent is gone.
  for (const info of sessions.toReversed()) {
    if (!isUnfinishedFork(info)) deps.bus.publish("session.deleted", { sessionID: info.id, info })
  }
}

/** Parents first. */
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

/** Rejects with SessionBusyError, and holds none, where another run owns one of them. */
async function takeAll(
  { storage, owner, deadlines }: RemoveDeps,
  sessions: readonly Session[],
): Promise<() => Promise<void>> {
  const held: { readonly lease: Lease; readonly letGo: () => void }[] = []
  const release = async () => {
    for (const { letGo } of held) letGo()
    await Promise.all(held.map(({ lease }) => lease.release().catch(() => undefined)))
  }
  try {
    for (const { id } of sessions) {
      // Not the name of this engine's runs, which would get their own session again.
      const lease = await acquireSoon(storage, id, `${owner}:remove`, deadlines.lease)
      if (!lease) throw await busyError(storage, id)
      held.push({ lease, letGo: keepRenewed(lease, deadlines.lease, () => undefined) })
    }
  } catch (error) {
    await release()
    throw error
  }
  return release
}
