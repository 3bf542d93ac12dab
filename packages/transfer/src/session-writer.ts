import { type Lease, type Session, SessionBusyError, type Storage, type Write } from "@pawl/core/storage"
import { isUnfinished, unfinished } from "./unfinished.ts"

/** Limits for the JSON bytes (roughly) and the writes of a commit, so that transactions stay short. */
const COMMIT_BYTES = 512 * 1024
const COMMIT_WRITES = 200

const LEASE_MS = 15_000
/**
 * All transfers share this name, so an interrupted one can continue at once. The epoch fences off the earlier owner.
 */
const OWNER = "transfer"

export type Outcome = "added" | "updated" | "unchanged"

/** Writes one session in commits of limited size. */
export interface SessionWriter {
  add(write: Write): Promise<void>
  /** Commits the rest together with the session itself. Then the session is complete. */
  finish(): Promise<Outcome>
  /** Releases the session. What was written stays, and the next transfer of the session continues from it. */
  [Symbol.asyncDispose](): Promise<void>
}

export interface WriterOptions {
  /** The stored session with this id. */
  readonly stored: Session | undefined
  /** Called with a commit's writes before the commit. */
  readonly beforeCommit: (writes: readonly Write[]) => Promise<void>
  readonly isSessionSame: boolean
}

/**
 * A session that fits into one commit appears completely or not at all. A larger one is archived and marked as
 * `isUnfinished` from its first commit to its last, and is leased meanwhile, so that no run starts on an incomplete
 * session.
 */
export function createSessionWriter(storage: Storage, session: Session, options: WriterOptions): SessionWriter {
  const { stored, beforeCommit, isSessionSame } = options
  let pending: Write[] = []
  let bytes = 0
  let lease: Lease | undefined
  let isBegun = stored !== undefined && isUnfinished(stored)

  async function takeLease(): Promise<void> {
    lease = await storage.acquire(session.id, OWNER, LEASE_MS)
    if (!lease) throw new SessionBusyError(session.id, await storage.leaseHolder?.(session.id))
  }

  async function commit(writes: readonly Write[]): Promise<void> {
    await beforeCommit(writes)
    if (lease) await lease.renew()
    else if (stored) await takeLease()
    await storage.commit(session.id, writes, lease?.token)
  }

  async function flush(): Promise<void> {
    const writes = pending
    pending = []
    bytes = 0
    if (!isBegun) {
      await commit([{ type: "session.put", session: unfinished(session) }])
      if (!lease) await takeLease()
      isBegun = true
    }
    await commit(writes)
  }

  return {
    async add(write) {
      const size = sizeOf(write)
      if (pending.length > 0 && (bytes + size > COMMIT_BYTES || pending.length >= COMMIT_WRITES)) await flush()
      pending.push(write)
      bytes += size
    },
    async finish() {
      if (!isBegun && pending.length === 0 && isSessionSame) return "unchanged"
      await commit([{ type: "session.put", session }, ...pending])
      return stored && !isUnfinished(stored) ? "updated" : "added"
    },
    async [Symbol.asyncDispose]() {
      // An error here must not hide the original one. The lease expires by itself.
      await lease?.release().catch(() => {})
    },
  }
}

/** Estimates the size in UTF-16 units of its JSON. */
function sizeOf(write: Write): number {
  return JSON.stringify(write).length
}
