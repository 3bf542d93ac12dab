import { createIDSource } from "@pawl/core"
import type { EventLog, LoggedEvent } from "./event-log.ts"
import type { OpenCodeEvent } from "./shapes/event.ts"

/** Interval of heartbeats in milliseconds. */
const HEARTBEAT_MS = 10_000
/** Characters that may wait for a reader. */
const MAX_WAITING = 1024 * 1024

export interface EventStreamOptions {
  /** The last event that the client has seen. Events after it are sent first, or `server.resync` if they are not known. */
  readonly after?: string | undefined
  /** Default: all events */
  readonly isWanted?: (logged: LoggedEvent) => boolean
  /** Default: the event itself */
  readonly envelope?: (event: OpenCodeEvent, directory: string | undefined) => object
  /** Called if the client reads too slowly. Its connection has to be closed, because the stream waits for it. */
  readonly onOverflow?: () => void
  /** Called when the stream ends. */
  readonly onEnd?: () => void
  /** Default: 10 seconds */
  readonly heartbeat?: number
}

/**
 * Streams server-sent events: `server.connected`, then all events with their positions as ids, with heartbeats in between.
 * Ends if more than a mebibyte waits for the reader.
 */
export function eventStream(log: EventLog, options: EventStreamOptions = {}): ReadableStream<Uint8Array> {
  const { after, isWanted = () => true, envelope = (event) => event, onOverflow, onEnd } = options
  const encoder = new TextEncoder()
  const ids = createIDSource(Date.now)
  const waiting: string[] = []
  const undelivered = new Set<() => void>()
  let length = 0
  let isEnded = false
  /** Set while the reader waits for more. */
  let wake: (() => void) | undefined
  let end: () => void = () => undefined

  function send(event: OpenCodeEvent, position: string, directory?: string): void {
    if (isEnded) return
    const text = `id: ${position}\nevent: message\ndata: ${JSON.stringify(envelope(event, directory))}\n\n`
    waiting.push(text)
    length += text.length
    if (length > MAX_WAITING) {
      end()
      onOverflow?.()
    } else wake?.()
  }

  const say = (type: string) => send({ id: ids.other("evt"), type, properties: {} }, log.position)

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const unsubscribe = log.subscribe((logged) => {
          if (isWanted(logged)) send(logged.event, logged.position, logged.directory)
        })
        const removeStream = log.addStream({
          close: () => end(),
          delivered: () =>
            isEnded || (wake && waiting.length === 0)
              ? Promise.resolve()
              : new Promise((resolve) => undelivered.add(resolve)),
        })
        const timer = setInterval(() => say("server.heartbeat"), options.heartbeat ?? HEARTBEAT_MS)
        timer.unref()
        end = () => {
          if (isEnded) return
          isEnded = true
          unsubscribe()
          removeStream()
          clearInterval(timer)
          waiting.length = 0
          for (const resolve of undelivered) resolve()
          undelivered.clear()
          try {
            controller.close()
          } catch {
            // The reader has cancelled the stream.
          }
          wake?.()
          onEnd?.()
        }
        const connected = { id: ids.other("evt"), type: "server.connected", properties: {} }
        const missed = after === undefined ? [] : log.after(after)
        // A position that this server has not given out does not go out again: it may hold anything.
        send(connected, after !== undefined && missed ? after : log.position)
        if (!missed) say("server.resync")
        for (const logged of missed ?? []) if (isWanted(logged)) send(logged.event, logged.position, logged.directory)
      },
      async pull(controller) {
        if (waiting.length === 0) {
          for (const resolve of undelivered) resolve()
          undelivered.clear()
          await new Promise<void>((resolve) => (wake = resolve))
          wake = undefined
        }
        if (isEnded) return
        const text = waiting.splice(0).join("")
        length = 0
        controller.enqueue(encoder.encode(text))
      },
      cancel: () => end(),
    },
    // Nothing is taken before the reader asks, so that an event which was taken has been written.
    { highWaterMark: 0 },
  )
}
