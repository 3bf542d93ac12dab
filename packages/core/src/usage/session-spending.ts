import { setImmediate as nextTurn } from "node:timers/promises"
import type { SessionID } from "../base/ids.ts"
import type { Revision, Storage } from "../contracts/storage.ts"
import { addSpent, nothingSpent, type Spent } from "../record/spent.ts"
import { spentFor } from "./stored-spending.ts"

export interface SessionSpendingDeps {
  readonly storage: Pick<Storage, "readMessages" | "readRevisions">
}

/** The usage of single sessions, without that of the sessions below them. */
export interface SessionSpending {
  /** Reads only sessions that have changed since the last call. The usage of an unknown session is 0. */
  of(ids: readonly SessionID[]): Promise<Map<SessionID, Spent>>
}

/** Usage of a session that was read at or after this revision. */
interface KnownSpending {
  readonly revision: Revision
  readonly spent: Promise<Spent>
}

/** Maximum number of sessions whose usage is kept, those that were asked for last. */
const MAX_SESSIONS = 10_000
/** Number of sessions whose revisions are read at once. */
const PAGE = 500
/** Number of sessions that are read side by side, for storages that wait for a network. */
const MAX_READS = 4
/** Maximum milliseconds that sums hold the event loop. */
const TURN_MS = 10

export function createSessionSpending({ storage }: SessionSpendingDeps, maxSessions = MAX_SESSIONS): SessionSpending {
  const known = new Map<SessionID, KnownSpending>()
  let turnStart = performance.now()
  let turnEnd: Promise<void> | undefined

  /**
   * Lets other work run if sums have held the event loop for a while. A storage may answer without doing so. All reads
   * wait for the same turn, and share the next one.
   */
  async function yieldTurn(): Promise<void> {
    if (performance.now() - turnStart < TURN_MS) return
    turnEnd ??= nextTurn().then(() => {
      turnStart = performance.now()
      turnEnd = undefined
    })
    await turnEnd
  }
  async function read(id: SessionID): Promise<Spent> {
    let spent = nothingSpent
    for await (const message of storage.readMessages(id, { assistantParts: false })) {
      spent = addSpent(spent, spentFor(message))
      await yieldTurn()
    }
    return spent
  }
  function keep(id: SessionID, spending: KnownSpending): void {
    known.delete(id)
    known.set(id, spending)
    const [oldest] = known.keys()
    if (known.size > maxSessions && oldest !== undefined) known.delete(oldest)
  }
  /** Commits during the read may count or not. They have a later revision, so the next call reads again. */
  function spentAt(id: SessionID, revision: Revision): Promise<Spent> {
    const last = known.get(id)
    const spending = last?.revision === revision ? last : { revision, spent: read(id) }
    keep(id, spending)
    spending.spent.catch(() => {
      if (known.get(id) === spending) known.delete(id)
    })
    return spending.spent
  }

  return {
    async of(ids) {
      const spent = new Map<SessionID, Spent>()
      for (let start = 0; start < ids.length; start += PAGE) {
        const page = ids.slice(start, start + PAGE)
        const revisions = await storage.readRevisions?.(page)
        await yieldTurn()
        const left = page.values()
        const work = async () => {
          for (const id of left) {
            const revision = revisions?.get(id)
            spent.set(id, await (revision === undefined ? read(id) : spentAt(id, revision)))
            await yieldTurn()
          }
        }
        await Promise.all(Array.from({ length: MAX_READS }, work))
      }
      return spent
    },
  }
}
