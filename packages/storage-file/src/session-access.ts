import type { FileStatus } from "./file-system.ts"
import { isSame } from "./journal.ts"
import { changesPath, journalPath } from "./layout.ts"
import type { Lock } from "./lock.ts"
import { isOfAnotherBoot, recoverSession } from "./recover.ts"
import { toName } from "./record-name.ts"
import type { Store } from "./store.ts"

/** How often a reader looks again before it takes the lock. */
const ATTEMPTS = 2

/** Runs the work while nobody else writes the session, after what a dead writer left half done was finished. */
export function exclusively<T>(store: Store, id: string, work: (lock: SessionLock) => Promise<T>): Promise<T> {
  return store.serial.run(`session ${id}`, async () => {
    const lock = await store.locks.take(toName(id))
    let isRecovered = !lock.isInherited
    let abandoned = false
    try {
      await recoverWhereNeeded(store, id, lock)
      isRecovered = true
      return await work({
        abandon() {
          abandoned = true
        },
      })
    } catch (error) {
      abandoned ||= !isRecovered
      throw error
    } finally {
      end(lock, abandoned)
    }
  })
}

async function recoverWhereNeeded(store: Store, id: string, lock: Lock): Promise<void> {
  const isOlder = store.unrecovered.has(id) && isOfAnotherBoot(store, id)
  if (lock.isInherited || isOlder) await recoverSession(store, id, isOlder ? "all" : "last")
  store.unrecovered.delete(id)
}

export interface SessionLock {
  /** Leaves what is half done to whoever comes next. */
  abandon(): void
}

/**
 * Runs a read that sees no commit half done. A commit holds the lock from before its first change until after its last,
 * and leaves the journal or the log longer: when there was no lock before and after, and both are as they were, nothing
 * was written meanwhile. A reader that is disturbed takes the lock.
 */
export async function consistently<T>(store: Store, id: string, read: () => T): Promise<T> {
  for (let attempt = 0; attempt < ATTEMPTS && !store.unrecovered.has(id); attempt++) {
    const before = stamp(store, id)
    if (store.locks.isTaken(toName(id))) break
    const result = read()
    if (!store.locks.isTaken(toName(id)) && isUnchanged(before, stamp(store, id))) return result
  }
  return exclusively(store, id, async () => read())
}

type Stamp = readonly (FileStatus | undefined)[]

function stamp({ fs }: Store, id: string): Stamp {
  return [fs.status(journalPath(id)), fs.status(changesPath(id))]
}

function isUnchanged(a: Stamp, b: Stamp): boolean {
  return a.every((status, index) => isSame(status, b[index]))
}

function end(lock: Lock, abandoned: boolean): void {
  try {
    if (abandoned) lock.abandon()
    else lock.release()
  } catch {
    // The disk fails: the lock stays, and this handle's next access finds it and sets right what it guards.
  }
}
