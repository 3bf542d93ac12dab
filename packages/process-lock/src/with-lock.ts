import { rm } from "node:fs/promises"
import { setTimeout as delay } from "node:timers/promises"
import { createWatch, removeDeadOwners, removeLeft } from "./left-lock.ts"
import { LockBusyError } from "./lock-busy-error.ts"
import { createOwnerFile, linked, readOwner } from "./lock-owner.ts"

export interface LockOptions {
  /** `false`: resolve with undefined if the lock is taken. Default: true. */
  readonly wait?: boolean
  /** Maximum time to wait, in milliseconds. Default: five minutes. */
  readonly timeoutMs?: number
  /** Ends the waiting: it rejects with an AbortError, or with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

const TIMEOUT_MS = 5 * 60_000
/** Milliseconds between two signs of life. */
const BEAT_MS = 1000
/** Milliseconds between two looks at a lock, half as many or half as many more. */
const POLL_MS = 10

/**
 * Runs the work while it holds the lock `path`, exclusively among all processes and within this one. The lock is a file in
 * a directory that is created if missing. Takes over the lock of a dead process. Not reentrant: work that requests its own
 * lock waits for itself. Rejects as the work does, with LockBusyError after the maximum time, and with the system's error
 * if files cannot be created.
 */
export function withLock<T>(
  path: string,
  work: () => Promise<T>,
  options?: LockOptions & { readonly wait?: true },
): Promise<T>
/** Resolves with undefined if the lock is taken and `wait` is false. */
export function withLock<T>(path: string, work: () => Promise<T>, options?: LockOptions): Promise<T | undefined>
export async function withLock<T>(
  path: string,
  work: () => Promise<T>,
  options: LockOptions = {},
): Promise<T | undefined> {
  options.signal?.throwIfAborted()
  const own = await createOwnerFile(path)
  try {
    if (!(await take(path, own.path, options))) return undefined
    const beat = setInterval(() => void own.touch(), BEAT_MS)
    beat.unref()
    try {
      return await work()
    } finally {
      clearInterval(beat)
      if ((await readOwner(path))?.token === own.owner.token) await rm(path, { force: true })
    }
  } finally {
    await own.remove()
  }
}

async function take(path: string, own: string, options: LockOptions): Promise<boolean> {
  const { wait = true, timeoutMs = TIMEOUT_MS, signal } = options
  const end = performance.now() + timeoutMs
  const ownerLeft = createWatch(path)
  for (let look = 0; ; look++) {
    signal?.throwIfAborted()
    if (await linked(own, path)) {
      // Where one has to wait, others may have died waiting.
      if (look > 0) await removeDeadOwners(path)
      return true
    }
    const left = await ownerLeft()
    if (left) await removeLeft(path, left, own)
    else if (!wait) return false
    else if (performance.now() > end) throw new LockBusyError(path, (await readOwner(path))?.pid)
    else await delay(POLL_MS * (0.5 + Math.random()), undefined, { signal })
  }
}
