import { createIDSource } from "@pawl/core"
import type { ServerEvents } from "./server-events.ts"
import type { OpenCodeEvent } from "./shapes/event.ts"

/** Interval of heartbeats in milliseconds. */
const HEARTBEAT_MS = 10_000

/** Streams server-sent events: `server.connected`, then all events, with heartbeats in between. */
export function eventStream(
  events: Pick<ServerEvents, "subscribe">,
  envelope: (event: OpenCodeEvent) => object = (event) => event,
  heartbeat = HEARTBEAT_MS,
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
