import { type Lease, type LeaseHolder, type LeaseToken, type SessionID, StaleLeaseError } from "@pawl/core/storage"

interface Held {
  readonly owner: string | undefined
  readonly epoch: number
  /** In milliseconds of the process's monotonic clock. */
  readonly expires: number
}

export interface Leases {
  acquire(sessionID: SessionID, owner: string, ttl: number): Lease | undefined
  holder(sessionID: SessionID): LeaseHolder | undefined
  /** Throws StaleLeaseError unless the token is that of the last acquisition, which may have expired. */
  prove(sessionID: SessionID, token: LeaseToken): void
  /** Invalidates all tokens of a removed session, also for a later session with the same id. */
  end(sessionID: SessionID): void
}

export function createLeases(): Leases {
  const last = new Map<SessionID, Held>()
  /** The highest epoch of the leases of removed sessions. */
  let ended = 0

  function isCurrent({ sessionID, owner, epoch }: LeaseToken): boolean {
    const held = last.get(sessionID)
    return held?.owner === owner && held.epoch === epoch
  }
  function prove(sessionID: SessionID, token: LeaseToken): void {
    if (token.sessionID !== sessionID || !isCurrent(token)) throw new StaleLeaseError(sessionID)
  }

  return {
    acquire(sessionID, owner, ttl) {
      const held = last.get(sessionID)
      if (held?.owner !== undefined && held.owner !== owner && held.expires > performance.now()) return undefined
      const token = { sessionID, owner, epoch: (held?.epoch ?? ended) + 1 }
      const extend = () => last.set(sessionID, { owner, epoch: token.epoch, expires: performance.now() + ttl })
      extend()
      return {
        token,
        async renew() {
          prove(sessionID, token)
          extend()
        },
        async release() {
          if (isCurrent(token)) last.set(sessionID, { owner: undefined, epoch: token.epoch, expires: 0 })
        },
      }
    },
    holder(sessionID) {
      const held = last.get(sessionID)
      const remaining = (held?.expires ?? 0) - performance.now()
      if (held?.owner === undefined || remaining <= 0) return undefined
      return { epoch: held.epoch, ends: held.expires, remaining, isAlive: true }
    },
    prove,
    end(sessionID) {
      ended = Math.max(ended, last.get(sessionID)?.epoch ?? 0)
      last.delete(sessionID)
    },
  }
}
