import { randomUUID } from "node:crypto"
import { open, rename, rm, stat } from "node:fs/promises"
import { setTimeout } from "node:timers/promises"

/** Milliseconds. The work under such a lock takes a few of them: an older lock was left by a process that died. */
const STALE = 10_000
const PAUSE = 15

/** Does the work while no other process does work under the same lock file. */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  while (!(await taken(path))) {
    await removeStale(path)
    await setTimeout(PAUSE)
  }
  try {
    return await work()
  } finally {
    await rm(path, { force: true })
  }
}

async function taken(path: string): Promise<boolean> {
  try {
    const file = await open(path, "wx", 0o600)
    await file.close()
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false
    throw error
  }
}

async function removeStale(path: string): Promise<void> {
  const status = await stat(path).catch(() => undefined)
  if (!status || Date.now() - status.mtimeMs < STALE) return
  // Of several that see it only one gets it; what another one has just made in its place stays.
  const aside = `${path}.${randomUUID()}`
  await rename(path, aside).catch(() => undefined)
  await rm(aside, { force: true })
}
