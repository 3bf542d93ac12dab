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

/** Number of reads without the lock before a reader takes it. */
const UNLOCKED_READS = 2

/** Interval at which a reader that cannot take the lock checks if it is free. */
const POLL_MS = 5

/** Runs the work as the session's only writer, after completing the work of a dead process. */
export function exclusively<T>(store: Store, id: string, work: (lock: SessionLock) => Promise<T>): Promise<T> {
  return store.serial.run(`session ${id}`, async () => {
    const lock = await store.locks.take(toName(id))
    // Recovered files in memory must not hide the files on the disk from a writer.
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
  /** Marks the work as unfinished for the next owner. */
  abandon(): void
}

/**
 * Runs a read that never sees a partial commit. A commit holds the lock from its first change to its last, and makes
 * the journal or the log longer. So if the lock is free before and after the read, and neither file has changed, no
 * commit happened meanwhile. Otherwise the reader tries again, and at last takes the lock.
 */
export async function consistently<T>(store: Store, id: string, read: () => T): Promise<T> {
  for (let attempt = 0; attempt < UNLOCKED_READS && !store.unrecovered.has(id); attempt++) {
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
 * Reads a session without its lock, since a read-only or full disk does not allow to take it. Completes the unfinished
 * work of a dead process in memory; waits for a live process.
 */
async function readRecovered<T>(store: Store, id: string, read: () => T): Promise<T> {
  const name = toName(id)
  for (const began = performance.now(); ; await sleep(POLL_MS)) {
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

/** Recovers a session. If the disk is not writable, recovers in memory what lists show of the session, and throws. */
export async function recover(store: Store, id: string): Promise<void> {
  try {
    await exclusively(store, id, async () => {})
  } catch (error) {
    if (isUnwritable(error) && !store.locks.isHeld(toName(id))) showRecovered(store, id)
    throw error
  }
}

/** Makes reads see the session's own recovered file, and returns all files that recovery would write. */
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
    // The disk fails, so the lock stays. The next access by this handle finds it and recovers the session.
  }
}
