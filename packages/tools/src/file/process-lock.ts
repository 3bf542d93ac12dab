import { createHash } from "node:crypto"
import { lstat, mkdir, readlink, symlink, unlink } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { displayName } from "../display-name.ts"
import { hasCode, isMissing } from "../system-error.ts"
import { isGone, type LockOwner, lockOwner, ownerIn } from "./lock-owner.ts"

/** Locks on files that the processes of one user on one machine share. */
export interface ProcessLocks {
  /**
   * Waits for the file's lock; resolves with what gives it back. What a process that ended has left is taken over. Rejects
   * when the signal is aborted, and when another process keeps it for five minutes.
   */
  take(path: string, signal: AbortSignal | undefined): Promise<() => Promise<void>>
}

export interface ProcessLocksOptions {
  /** Where the locks stand; absolute. It is made when it is missing. */
  readonly directory: string
}

const POLL_MS = 10
/** Formatters and checks of another process may take their time. */
const PATIENCE_MS = 5 * 60_000
/** Of an owner that cannot be asked, such as one in another container. */
const UNKNOWN_MS = 10 * 60_000
/** Taking a lock over takes no time. */
const TAKEOVER_MS = 10_000

/**
 * A lock is a symbolic link named after the file, which leads nowhere and names its owner: made and filled in one step, or
 * not at all. Where the directory cannot be used there are no locks.
 */
export function createProcessLocks({ directory }: ProcessLocksOptions): ProcessLocks {
  let prepared: Promise<LockOwner | undefined> | undefined
  return {
    async take(path, signal) {
      prepared ??= prepare(directory)
      const owner = await prepared
      if (!owner) return async () => {}
      const lock = join(directory, createHash("sha256").update(path).digest("hex"))
      const mine = `${owner.text} ${crypto.randomUUID()}`
      const end = performance.now() + PATIENCE_MS
      while (!(await make(lock, mine))) {
        signal?.throwIfAborted()
        if (performance.now() > end)
          throw new Error(`${displayName(path)} is being changed by another process. Try again.`)
        if (!(await takeOver(lock, mine, owner))) await delay(POLL_MS * (0.5 + Math.random()))
      }
      return () => give(lock, mine)
    },
  }
}

/** Who takes locks here; undefined where the directory is not this user's own, or cannot be made. */
async function prepare(directory: string): Promise<LockOwner | undefined> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    const found = await lstat(directory)
    return found.isDirectory() && found.uid === (process.getuid?.() ?? found.uid) ? lockOwner() : undefined
  } catch {
    return undefined
  }
}

async function make(lock: string, text: string): Promise<boolean> {
  try {
    await symlink(text, lock)
    return true
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false
    throw error
  }
}

/** Removes a lock whose owner is gone; one process at a time, so that none removes what another has just made. */
async function takeOver(lock: string, mine: string, self: LockOwner): Promise<boolean> {
  if (!(await isLeft(lock, self))) return false
  const turn = `${lock}.takeover`
  if (!(await make(turn, mine))) {
    const age = await ageOf(turn)
    if (age !== undefined && age > TAKEOVER_MS) await remove(turn)
    return false
  }
  try {
    if (!(await isLeft(lock, self))) return false
    await remove(lock)
    return true
  } finally {
    await give(turn, mine)
  }
}

async function isLeft(lock: string, self: LockOwner): Promise<boolean> {
  const text = await readlink(lock).catch(() => undefined)
  if (text === undefined) return false
  const owner = ownerIn(text)
  const gone = owner && isGone(owner, self)
  return gone ?? ((await ageOf(lock)) ?? 0) > UNKNOWN_MS
}

async function ageOf(lock: string): Promise<number | undefined> {
  const found = await lstat(lock).catch(() => undefined)
  return found && Date.now() - found.mtimeMs
}

async function give(lock: string, mine: string): Promise<void> {
  if ((await readlink(lock).catch(() => undefined)) === mine) await remove(lock)
}

async function remove(lock: string): Promise<void> {
  await unlink(lock).catch((error: unknown) => {
    if (!isMissing(error)) throw error
  })
}
