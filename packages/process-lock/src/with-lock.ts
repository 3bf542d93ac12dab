import { rm } from "node:fs/promises"
import { setTimeout as delay } from "node:timers/promises"
import { createWatch, removeDeadOwners, removeLeft } from "./left-lock.ts"
import { LockBusyError } from "./lock-busy-error.ts"
import { createOwnerFile, linked, readOwner } from "./lock-owner.ts"

export interface LockOptions {
  /** `false`: resolve with undefined when somebody has it. */
  readonly wait?: boolean
  /** Milliseconds to wait for it at most; five minutes where it is absent. */
  readonly patience?: number
  /** Ends the waiting: it rejects with an AbortError, or with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

const PATIENCE = 5 * 60_000
/** Milliseconds between two signs of life. */
const BEAT = 1000
/** Milliseconds between two looks at a lock, half as many or half as many more. */
const POLL = 10

/**
 * Does the work while nobody else does work under this lock, in this process or in any other. `path` names the lock: a file
 * that is there while somebody has it, in a directory that is made where it is missing. What a process that died has left
 * is taken over. Nobody may take it twice: work under a lock that asks for it again waits for itself. Rejects as the work does, with
 * LockBusyError when patience ends, and with the system's error where files cannot be made.
 */
export function withLock<T>(
  path: string,
  work: () => Promise<T>,
  options?: LockOptions & { readonly wait?: true },
): Promise<T>
/** Undefined: not done, as somebody has it and `wait` is false. */
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
    const beat = setInterval(() => void own.touch(), BEAT)
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
  const { wait = true, patience = PATIENCE, signal } = options
  const end = performance.now() + patience
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
    else await delay(POLL * (0.5 + Math.random()), undefined, { signal })
  }
}
