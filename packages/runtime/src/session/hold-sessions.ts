import { randomUUID } from "node:crypto"
import { isAbsolute, relative, sep } from "node:path"
import { type Lease, SessionBusyError, type Storage } from "@pawl/core/storage"

/** Length of a lease, which is renewed until it is released. */
const LEASE_MS = 30_000

/**
 * Holds all sessions that work in a directory or below it, so that no process runs them. Rejects with SessionBusyError if one of
 * them is at work.
 */
export async function holdSessions(
  storage: Pick<Storage, "listSessions" | "acquire" | "leaseHolder">,
  directory: string,
): Promise<AsyncDisposable> {
  const leases: Lease[] = []
  const owner = `hold:${randomUUID()}`
  const release = async () => {
    await Promise.all(leases.map((lease) => lease.release()))
  }
  try {
    for await (const session of storage.listSessions()) {
      if (!isWithin(directory, session.directory)) continue
      const lease = await storage.acquire(session.id, owner, LEASE_MS)
      if (!lease) throw new SessionBusyError(session.id, await storage.leaseHolder?.(session.id).catch(() => undefined))
      leases.push(lease)
    }
  } catch (error) {
    await release()
    throw error
  }
  const renewing = setInterval(() => {
    for (const lease of leases) lease.renew().catch(() => undefined)
  }, LEASE_MS / 3)
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(renewing)
      await release()
    },
  }
}

function isWithin(directory: string, path: string): boolean {
  const way = relative(directory, path)
  return way.split(sep)[0] !== ".." && !isAbsolute(way)
}
