import { StaleLeaseError } from "../base/errors.ts"
import type { Lease } from "../contracts/storage.ts"

/** Renews a lease until the returned function is called. `onLost` is called when another owner has the session. */
export function keepRenewed(lease: Lease, ttl: number, onLost: (error: StaleLeaseError) => void): () => void {
  const timer = setInterval(() => {
    lease.renew().catch((error: unknown) => {
      if (error instanceof StaleLeaseError) onLost(error)
    })
  }, ttl / 3)
  timer.unref()
  return () => clearInterval(timer)
}
