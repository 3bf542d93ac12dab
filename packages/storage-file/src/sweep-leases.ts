import { LEASES } from "./layout.ts"
import { fromName } from "./record-name.ts"
import { exclusively } from "./session-access.ts"
import { findSession } from "./session-head.ts"
import type { Store } from "./store.ts"

/** Longest time for which a suspended process is expected to commit afterwards. */
const WEEK_MS = 7 * 86_400_000

/** Removes lease files of sessions that were removed long ago. */
export async function sweepLeases(store: Store, signal?: AbortSignal): Promise<void> {
  const { fs } = store
  for (const name of fs.readDirectory(LEASES) ?? []) {
    signal?.throwIfAborted()
    const path = `${LEASES}/${name}`
    const id = fromName(name)
    if (id === undefined || Date.now() - (fs.status(path)?.changed ?? Number.POSITIVE_INFINITY) < WEEK_MS) continue
    await exclusively(store, id, async () => {
      if (findSession(store, id) === undefined) fs.remove(path)
    })
  }
}
