import { setTimeout as sleep } from "node:timers/promises"
import { busyError } from "./errors.ts"
import type { FileSystem } from "./file-system.ts"
import { LOCKS, OWNERS, TEMPORARY } from "./layout.ts"
import { createLockQueue } from "./lock-queue.ts"
import { isDead, type ProcessIdentity } from "@pawl/storage-kit"

// A lock is a hard link to its owner's file, so it appears atomically with its content. The lock of a dead owner is
// replaced, not removed, so that the next owner knows about unfinished work. Replacing it requires a lock of its own,
// named after the dead owner, so that only one process can do it.

export interface Lock {
  /** True if the last owner did not release the lock: the guarded data may be incomplete. */
  readonly isInherited: boolean
  release(): void
  /** Releases the lock, but marks the guarded data as unfinished for the next owner. */
  abandon(): void
}

export interface Locks {
  /** Waits for other processes. Rejects with a StorageError after `lockTimeout`. */
  take(name: string): Promise<Lock>
  isTaken(name: string): boolean
  /** Returns true if a living process holds the lock. */
  isHeld(name: string): boolean
  /** Returns the names of locks whose owners are dead. */
  inherited(): string[]
}

export interface LockDeps {
  readonly fs: FileSystem
  /** For messages. */
  readonly root: string
  readonly self: ProcessIdentity
  /** Identifies this handle. */
  readonly token: string
  readonly lockTimeout: number
}

interface Owner extends Partial<ProcessIdentity> {
  readonly token: string
}

export function createLocks({ fs, root, self, token, lockTimeout }: LockDeps): Locks {
  const ownerPath = `${OWNERS}/${token}`
  const path = (name: string) => `${LOCKS}/${name}`
  let spare = 0

  function link(place: string): boolean {
    try {
      return fs.link(ownerPath, place)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error
      // This is the first lock of this handle, or the file was deleted. Written to a temporary file first: a
      // half-written owner counts as dead.
      const temporary = `${TEMPORARY}/${token}-owner-${++spare}`
      try {
        fs.write(temporary, Buffer.from(JSON.stringify({ ...self, token } satisfies Owner)))
      } catch (failure) {
        // On a full disk, a file can be created but not written.
        removeIfPossible(temporary)
        throw failure
      }
      fs.rename(temporary, ownerPath)
      return fs.link(ownerPath, place)
    }
  }

  /** Ignores errors, so that a failing cleanup does not hide the error that caused it. */
  function removeIfPossible(file: string): void {
    try {
      fs.remove(file)
    } catch {
      // Temporary files are removed when the storage is opened the next time.
    }
  }

  function ownerOf(place: string): Owner | undefined {
    const bytes = fs.readFile(place)
    return bytes && toOwner(bytes)
  }

  function isGone(owner: Owner): boolean {
    const { boot, host, pid, start = "" } = owner
    // Only this handle has its token, and an unreadable owner cannot return.
    if (owner.token === token || boot === undefined || host === undefined || pid === undefined) return true
    return isDead({ boot, host, pid, start }, self)
  }

  /** Takes over the lock of a dead owner. Returns false if another process is doing so. */
  function inherit(place: string, dead: Owner): boolean {
    const guard = `${place}.${dead.token}`
    if (!link(guard)) {
      const other = ownerOf(guard)
      if (!other || !isGone(other)) return false
      if (other.token !== token && !inherit(guard, other)) return false
    }
    const found = ownerOf(place)
    const isHis = found?.token === dead.token
    if (isHis && dead.token !== token) replace(place)
    fs.remove(guard)
    return isHis
  }

  function replace(place: string): void {
    const temporary = `${TEMPORARY}/${token}-lock-${++spare}`
    link(temporary)
    fs.rename(temporary, place)
  }

  function held(place: string, isInherited: boolean): Lock {
    return {
      isInherited,
      release: () => void fs.remove(place),
      abandon() {
        const temporary = `${TEMPORARY}/${token}-lock-${++spare}`
        fs.write(temporary, Buffer.from(JSON.stringify({ token: `${token}-${spare}` } satisfies Owner)))
        fs.rename(temporary, place)
      },
    }
  }

  function attempt(place: string): Lock | undefined {
    if (link(place)) return held(place, false)
    const owner = ownerOf(place)
    return owner && isGone(owner) && inherit(place, owner) ? held(place, true) : undefined
  }

  function isFree(place: string): boolean {
    const owner = ownerOf(place)
    return !owner || isGone(owner)
  }

  return {
    async take(name) {
      const began = performance.now()
      const place = path(name)
      const queue = createLockQueue({ fs, name, token, link, isFree: () => isFree(place) })
      try {
        for (;;) {
          const lock = queue.isNext() ? attempt(place) : undefined
          if (lock) return lock
          const waited = performance.now() - began
          if (waited >= lockTimeout) throw busyError(root, name, waited)
          await sleep(queue.wait())
        }
      } finally {
        queue.leave()
      }
    },
    isTaken: (name) => fs.status(path(name)) !== undefined,
    isHeld: (name) => !isFree(path(name)),
    inherited() {
      return (fs.readDirectory(LOCKS) ?? []).filter((name) => {
        if (name.includes(".")) return false
        const owner = ownerOf(path(name))
        return owner !== undefined && isGone(owner)
      })
    },
  }
}

function toOwner(bytes: Buffer): Owner {
  try {
    const owner: unknown = JSON.parse(bytes.toString())
    if (typeof owner === "object" && owner !== null && "token" in owner) return owner as Owner
  } catch {
    // Falls through: an unreadable file has no owner.
  }
  return { token: "unreadable" }
}
