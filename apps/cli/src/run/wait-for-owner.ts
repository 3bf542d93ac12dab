import { setTimeout as sleep } from "node:timers/promises"
import { type LeaseHolder, SessionBusyError, type SessionID, type Storage } from "@pawl/core"

/** Milliseconds between two looks at the lease. */
const POLL_MS = 1000
/** Milliseconds: four times the lease of a run. A lease that ends later is reported and not waited for. */
const MAX_WAIT_MS = 60_000

export interface OwnerWaitOptions {
  readonly storage: Pick<Storage, "leaseHolder">
  readonly sessionID: SessionID
  /** Ends the wait. */
  readonly signal: AbortSignal
  /** Called with each look at the lease; with undefined when the wait is over. */
  readonly show: (holder: LeaseHolder | undefined) => void
  readonly pollMs?: number
}

/**
 * Does the work. If the session belongs to a process that cannot be seen from here, waits until that process has renewed
 * its lease or the lease has ended: the work then rejects with SessionBusyError, or is done again. Resolves with undefined
 * when the signal ends the wait.
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

/** False if the signal came first. Rejects with SessionBusyError if the holder is found to be alive. */
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
