import type { LocalLease } from "@pawl/storage-kit"
import { leasePath } from "./layout.ts"
import type { Store } from "./store.ts"

/**
 * Ends the lease of a session that is removed, so that its token is not valid for a later session with the same id.
 * Called under the session's lock.
 */
export function endLease(store: Store, id: string): void {
  const lease = readLease(store, id)
  if (lease && lease.owner !== null) releaseLease(store, id, lease)
}

/** Keeps the file, since the next epoch follows from the one in it. */
export function releaseLease(store: Store, id: string, lease: LocalLease): void {
  writeLease(store, id, { ...lease, owner: null })
}

/** Not synced, since no lease owner survives a crash of the machine. */
export function writeLease({ fs, temporaryPath }: Store, id: string, lease: LocalLease): void {
  const temporary = temporaryPath()
  fs.write(temporary, Buffer.from(`${JSON.stringify(lease, null, 2)}\n`))
  fs.rename(temporary, leasePath(id))
}

/** Treats an unreadable file as a missing lease, so that the next write of its owner is refused. */
export function readLease({ fs }: Store, id: string): LocalLease | undefined {
  try {
    const lease = JSON.parse(fs.readFile(leasePath(id))?.toString() ?? "null") as LocalLease | null
    return lease !== null && Number.isSafeInteger(lease.epoch) ? lease : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
