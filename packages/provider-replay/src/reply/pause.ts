import { setTimeout as sleep } from "node:timers/promises"
import { abortError } from "@pawl/core/provider"

/** Maximum delay of a timer, in milliseconds. A longer timer would fire at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * Resolves after the delay, at most `MAX_TIMER_MS`. If the signal aborts earlier, throws an AbortError and clears the
 * timer.
 */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(milliseconds, undefined, { signal })
  } catch {
    throw abortError(signal)
  }
}

/** Never resolves. Keeps the process alive, as an open connection would. Throws an AbortError when the signal aborts. */
export async function standStill(signal: AbortSignal): Promise<never> {
  for (;;) await pause(MAX_TIMER_MS, signal)
}

/** Throws an AbortError when the signal has aborted. */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw abortError(signal)
}
