import { createIDSource } from "@pawl/core"
import type { OpenCodeEvent, ServerEvents } from "@pawl/server"

/**
 * Yields the events in order, starting with `server.connected`. The subscription starts immediately. It ends with the
 * loop or when a signal aborts, even if no loop has started.
 */
export function eventsFrom<T>(
  events: Pick<ServerEvents, "subscribe">,
  envelope: (event: OpenCodeEvent) => T,
  signals: readonly AbortSignal[] = [],
): AsyncGenerator<T> {
  const connected = { id: createIDSource(Date.now).other("evt"), type: "server.connected", properties: {} }
  const waiting: T[] = [envelope(connected)]
  let wake: () => void = () => undefined
  let hasEnded = false
  const unsubscribe = events.subscribe((event) => {
    waiting.push(envelope(structuredClone(event)))
    wake()
  })
  const end = () => {
    for (const signal of signals) signal.removeEventListener("abort", end)
    unsubscribe()
    waiting.length = 0
    hasEnded = true
    wake()
  }
  for (const signal of signals) signal.addEventListener("abort", end)
  if (signals.some(({ aborted }) => aborted)) end()

  async function* stream() {
    try {
      for (;;) {
        if (hasEnded) return
        const next = waiting.shift()
        if (next !== undefined) yield next
        else await new Promise<void>((resolve) => (wake = resolve))
      }
    } finally {
      end()
    }
  }
  return stream()
}
