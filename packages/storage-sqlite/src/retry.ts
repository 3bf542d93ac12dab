import { setTimeout as sleep } from "node:timers/promises"
import { busyError, isBusy, toStorageError } from "./errors.ts"

// Pauses shrink while a process waits, so that all processes wait about equally long.
const SHORT_PAUSES_AFTER_MS = 60
const MAX_PAUSE_MS = 16

/** Tries again for `lockTimeout` milliseconds while another process holds a lock. Rejects with a StorageError. */
export async function retryWhileBusy<T>(
  { path, lockTimeout }: { readonly path: string; readonly lockTimeout: number },
  attempt: () => T,
): Promise<T> {
  const start = performance.now()
  for (;;) {
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error)) throw toStorageError(error, path)
      const waited = performance.now() - start
      if (waited >= lockTimeout) throw busyError(path, waited, error)
    }
    await sleep(pauseAfter(performance.now() - start))
  }
}

/** Random, so that waiting processes do not collide repeatedly. */
function pauseAfter(waited: number): number {
  return 1 + Math.random() * MAX_PAUSE_MS * Math.max(0, 1 - waited / SHORT_PAUSES_AFTER_MS)
}
