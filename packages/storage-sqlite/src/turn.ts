import { setImmediate as nextTurn } from "node:timers/promises"

/** How long work may hold the event loop or the write lock before it lets others go first, in milliseconds. */
export const TURN_MS = 15

/** Lets everything else run that is waiting. Rejects with the signal's reason once it has aborted. */
export async function yieldTurn(signal?: AbortSignal): Promise<void> {
  await nextTurn()
  signal?.throwIfAborted()
}

/** A question that is true for `milliseconds` from now on. */
export function turn(milliseconds = TURN_MS): () => boolean {
  const end = performance.now() + milliseconds
  return () => performance.now() < end
}
