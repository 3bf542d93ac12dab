import { setImmediate as nextTurn } from "node:timers/promises"

/** Maximum time that work may hold the event loop or the write lock. */
export const TURN_MS = 15

/** Yields to all waiting work. Rejects with the signal's reason if the signal has aborted. */
export async function yieldTurn(signal?: AbortSignal): Promise<void> {
  await nextTurn()
  signal?.throwIfAborted()
}

/** Returns a function that returns true for `milliseconds` from now. */
export function turn(milliseconds = TURN_MS): () => boolean {
  const end = performance.now() + milliseconds
  return () => performance.now() < end
}
