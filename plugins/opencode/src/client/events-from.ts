import { createIDSource } from "@pawl/core"
import type { OpenCodeEvent, ServerEvents } from "@pawl/server"

/**
 * The events as they come, first of all `server.connected`. The subscription begins at once, and ends with the loop over
 * it or with the signal.
 */
export function eventsFrom<T>(
  events: Pick<ServerEvents, "subscribe">,
  envelope: (event: OpenCodeEvent) => T,
  signal?: AbortSignal,
): AsyncGenerator<T> {
  const connected = { id: createIDSource(Date.now).other("evt"), type: "server.connected", properties: {} }
  const waiting: T[] = [envelope(connected)]
  let wake: () => void = () => undefined
  const unsubscribe = events.subscribe((event) => {
    waiting.push(envelope(structuredClone(event)))
    wake()
  })
  signal?.addEventListener("abort", () => wake(), { once: true })

  async function* stream() {
    try {
      for (;;) {
        if (signal?.aborted) return
        const next = waiting.shift()
        if (next !== undefined) yield next
        else await new Promise<void>((resolve) => (wake = resolve))
      }
    } finally {
      unsubscribe()
    }
  }
  return stream()
}
