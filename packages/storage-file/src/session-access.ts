import { setTimeout as sleep } from "node:timers/promises"
import { busyError, isUnwritable } from "./errors.ts"
import type { FileStatus } from "./file-system.ts"
import { isSame } from "./journal.ts"
import { changesPath, journalPath } from "./layout.ts"
import type { Lock } from "./lock.ts"
import { isOfAnotherBoot, recoveredFiles, recoverSession } from "./recover.ts"
import type { FileContents } from "./recovered-files.ts"
import { toName } from "./record-name.ts"
import type { Store } from "./store.ts"

/** How often a reader looks again before it takes the lock. */
const ATTEMPTS = 2

/** How often a reader that cannot take the lock looks whether it is free. */
const LOOK_MS = 5

/** Runs the work as the session's only writer, after finishing the work of a dead writer. */
export function exclusively<T>(store: Store, id: string, work: (lock: SessionLock) => Promise<T>): Promise<T> {
  return store.serial.run(`session ${id}`, async () => {
    const lock = await store.locks.take(toName(id))
    // What recovery in memory has shown must not be taken for what is on the disk.
    store.recovered.hide(id)
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
  /** Leaves unfinished work to the next owner. */
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
    store.recovered.hide(id)
    const result = read()
    if (!store.locks.isTaken(toName(id)) && isUnchanged(before, stamp(store, id))) return result
  }
  try {
    return await exclusively(store, id, async () => read())
  } catch (error) {
    if (!isUnwritable(error)) throw error
    return store.serial.run(`session ${id}`, () => readRecovered(store, id, read))
  }
}

/**
 * Reads a session without its lock, which cannot be taken where the disk takes no writes. What a dead writer left half
 * done is finished in memory; a living one is waited for.
 */
async function readRecovered<T>(store: Store, id: string, read: () => T): Promise<T> {
  const name = toName(id)
  for (const began = performance.now(); ; await sleep(LOOK_MS)) {
    const before = stamp(store, id)
    if (!store.locks.isHeld(name)) {
      const files = showRecovered(store, id)
      const result = store.recovered.during(files, read)
      if (!store.locks.isHeld(name) && isUnchanged(before, stamp(store, id))) return result
    }
    const waited = performance.now() - began
    if (waited >= store.lockTimeout) throw busyError(store.root, name, waited)
  }
}

/** Recovers a session; where the disk takes no writes, what lists show of it is recovered in memory, and this throws. */
export async function recover(store: Store, id: string): Promise<void> {
  try {
    await exclusively(store, id, async () => {})
  } catch (error) {
    if (isUnwritable(error) && !store.locks.isHeld(toName(id))) showRecovered(store, id)
    throw error
  }
}

/** Shows the session's own file as recovery would leave it, and returns all files that recovery would write. */
function showRecovered(store: Store, id: string): FileContents {
  store.recovered.hide(id)
  const files = recoveredFiles(store, id)
  store.recovered.show(id, new Map([...files].filter(([path]) => path.startsWith("session/"))))
  return files
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
