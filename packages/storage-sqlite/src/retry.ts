import { setTimeout as sleep } from "node:timers/promises"
import { busyError, isBusy, toStorageError } from "./errors.ts"

// The longer a process has waited, the more often it retries, so that all wait about equally long.
const PATIENCE_MS = 60
const RETRY_MS = 16

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

/** By chance, so that waiting processes do not meet again and again. */
function pauseAfter(waited: number): number {
  return 1 + Math.random() * RETRY_MS * Math.max(0, 1 - waited / PATIENCE_MS)
}
