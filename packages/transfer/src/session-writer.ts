import { type Lease, type Session, SessionBusyError, type Storage, type Write } from "@pawl/core/storage"
import { isUnfinished, unfinished } from "./unfinished.ts"

/** Bytes of JSON (about) and writes of one commit, so that no transaction is long. */
const COMMIT_BYTES = 512 * 1024
const COMMIT_WRITES = 200

const LEASE_MS = 15_000
/** One name for all: what was interrupted goes on at once, and the epoch fences off the one that was before. */
const OWNER = "transfer"

export type Outcome = "added" | "updated" | "unchanged"

/** Writes one session in commits of bounded size. */
export interface SessionWriter {
  add(write: Write): Promise<void>
  /** Commits what is left together with the session itself: from here on it is whole. */
  finish(): Promise<Outcome>
  /** Gives the session free. What was written stays, and the next transfer of the session goes on from it. */
  [Symbol.asyncDispose](): Promise<void>
}

export interface WriterOptions {
  /** What the storage has under the session's id. */
  readonly stored: Session | undefined
  /** Called with the writes of a commit before it. */
  readonly beforeCommit: (writes: readonly Write[]) => Promise<void>
  readonly isSessionSame: boolean
}

/**
 * A session that fits into one commit appears whole or not at all. A larger one stands archived and marked, for
 * `isUnfinished`, from its first commit to its last, and is leased meanwhile, so that nothing runs on half of it.
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
      // Where this fails it must not hide why the work failed; the lease then ends by its time.
      await lease?.release().catch(() => {})
    },
  }
}

/** UTF-16 units of its JSON, at least. */
function sizeOf(write: Write): number {
  return JSON.stringify(write).length
}
