import { setTimeout as sleep } from "node:timers/promises"

/** Resolves after that many milliseconds. Throws an AbortError, and leaves no timer, when the signal aborts before. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(milliseconds, undefined, { signal })
  } catch {
    throw abortError(signal)
  }
}

/** Never resolves. Keeps the process alive, as an open connection would. Throws an AbortError when the signal aborts. */
export async function standStill(signal: AbortSignal): Promise<never> {
  for (;;) await pause(longestDelay, signal)
}

/** Throws an AbortError when the signal has aborted. */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw abortError(signal)
}

const longestDelay = 2 ** 31 - 1

function abortError(signal: AbortSignal): Error {
  const reason: unknown = signal.reason
  if (reason instanceof Error && reason.name === "AbortError") return reason
  return new DOMException("The request was aborted.", { name: "AbortError", cause: reason })
}
