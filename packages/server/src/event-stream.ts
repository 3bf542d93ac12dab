import { createIDSource } from "@pawl/core"
import type { ServerEvents } from "./server-events.ts"
import type { OpenCodeEvent } from "./shapes/event.ts"

/** Milliseconds between two signs of life. */
const HEARTBEAT = 10_000

/** Server-sent events: `server.connected`, then everything as it happens, with a heartbeat in between. */
export function eventStream(
  events: Pick<ServerEvents, "subscribe">,
  envelope: (event: OpenCodeEvent) => object = (event) => event,
  heartbeat = HEARTBEAT,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const ids = createIDSource(Date.now)
  let end: () => void = () => undefined
  return new ReadableStream({
    start(controller) {
      const send = (event: OpenCodeEvent) => {
        controller.enqueue(encoder.encode(`event: message\ndata: ${JSON.stringify(envelope(event))}\n\n`))
      }
      const say = (type: string) => send({ id: ids.other("evt"), type, properties: {} })
      say("server.connected")
      const unsubscribe = events.subscribe(send)
      const timer = setInterval(() => say("server.heartbeat"), heartbeat)
      timer.unref()
      end = () => {
        unsubscribe()
        clearInterval(timer)
      }
    },
    cancel: () => end(),
  })
}
