import type { LocalLease } from "@pawl/storage-kit"
import { leasePath } from "./layout.ts"
import type { Store } from "./store.ts"

/** Called under the lock of a session that is removed: its tokens hold for no other that gets its id. */
export function endLease(store: Store, id: string): void {
  const lease = readLease(store, id)
  if (lease && lease.owner !== null) releaseLease(store, id, lease)
}

/** The file stays: the next acquisition's epoch follows on from it. */
export function releaseLease(store: Store, id: string, lease: LocalLease): void {
  writeLease(store, id, { ...lease, owner: null })
}

/** Not synced: who holds it does not outlive the machine. */
export function writeLease({ fs, temporaryPath }: Store, id: string, lease: LocalLease): void {
  const temporary = temporaryPath()
  fs.write(temporary, Buffer.from(`${JSON.stringify(lease, null, 2)}\n`))
  fs.rename(temporary, leasePath(id))
}

/** Treats an unreadable file as a missing lease. Then its owner's next write is refused, which is safe. */
export function readLease({ fs }: Store, id: string): LocalLease | undefined {
  try {
    const lease = JSON.parse(fs.readFile(leasePath(id))?.toString() ?? "null") as LocalLease | null
    return lease !== null && Number.isSafeInteger(lease.epoch) ? lease : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
