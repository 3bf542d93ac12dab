import type { LeaseHolder } from "@pawl/core/storage"
import { isDead, lifeOf, type ProcessIdentity, processName, toProcessIdentity } from "./process-identity.ts"

/** The last lease on a session of a storage that only processes of one machine open. */
export interface LocalLease extends ProcessIdentity {
  /** Null after a release. */
  readonly owner: string | null
  readonly epoch: number
  /** In milliseconds. */
  readonly ttl: number
  /** By the monotonic clock of `boot`. */
  readonly expires: number
}

export function isFree(lease: LocalLease, owner: string, now: number, self: ProcessIdentity): boolean {
  if (lease.owner === null || lease.owner === owner) return true
  return hasEnded(lease, now) || isDead(lease, self)
}

/** Returns undefined if the session is free for another owner. */
export function holderOf(lease: LocalLease | undefined, now: number, self: ProcessIdentity): LeaseHolder | undefined {
  if (!lease || lease.owner === null || hasEnded(lease, now)) return undefined
  const life = lifeOf(lease, self)
  if (life === "dead") return undefined
  const { epoch, expires } = lease
  const process = toProcessIdentity(lease)
  return {
    ...{ epoch, ends: expires, remaining: expires - now, isAlive: life === "alive" },
    process: process && processName(process),
  }
}

/** An end more than `ttl` ahead was set by the clock of an earlier boot, on systems that do not identify boots. */
function hasEnded({ expires, ttl }: LocalLease, now: number): boolean {
  return expires <= now || expires > now + ttl
}
