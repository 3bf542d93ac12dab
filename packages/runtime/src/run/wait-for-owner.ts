import { setTimeout as sleep } from "node:timers/promises"
import { type LeaseHolder, SessionBusyError, type SessionID, type Storage } from "@pawl/core/storage"

/** Interval of lease checks. */
const POLL_MS = 1000
/** Four times the lease of a run. A lease that ends later is reported at once. */
const MAX_WAIT_MS = 60_000

export interface OwnerWaitOptions {
  readonly storage: Pick<Storage, "leaseHolder">
  readonly sessionID: SessionID
  /** Ends the wait. */
  readonly signal: AbortSignal
  /** Called at each lease check, and with undefined when the wait is over. */
  readonly show: (holder: LeaseHolder | undefined) => void
  readonly pollMs?: number
}

/**
 * Does the work. If a process that is not visible from here holds the session, waits until its lease is renewed or ends. Then rejects
 * with SessionBusyError, or does the work again. Resolves with undefined when the signal ends the wait.
 */
export async function workWhenFree<T>(work: () => Promise<T>, options: OwnerWaitOptions): Promise<T | undefined> {
  let waited: LeaseHolder | undefined
  for (;;) {
    try {
      return await work()
    } catch (error) {
      const holder = error instanceof SessionBusyError ? error.holder : undefined
      if (!holder || holder.isAlive || holder.remaining > MAX_WAIT_MS) throw error
      // Another process took the session after the wait.
      if (waited && waited.epoch !== holder.epoch) throw error
      waited = holder
      if (!(await leaseEnd(holder, options))) return undefined
    }
  }
}

/** Waits for the end of the lease. False if the signal aborts first. Rejects with SessionBusyError if the holder is alive. */
async function leaseEnd(first: LeaseHolder, options: OwnerWaitOptions): Promise<boolean> {
  const { storage, sessionID, signal, show, pollMs = POLL_MS } = options
  try {
    for (let holder: LeaseHolder | undefined = first; holder; holder = await storage.leaseHolder?.(sessionID)) {
      if (isAtWork(holder, first)) throw new SessionBusyError(sessionID, { ...holder, isAlive: true })
      show(holder)
      await sleep(Math.min(pollMs, holder.remaining), undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return false
    }
    return true
  } finally {
    show(undefined)
  }
}

function isAtWork(holder: LeaseHolder, first: LeaseHolder): boolean {
  return holder.isAlive || holder.epoch !== first.epoch || holder.ends !== first.ends
}
