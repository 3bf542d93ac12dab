import { setTimeout as delay } from "node:timers/promises"
import type { Event } from "./generated.ts"
import { ServerError } from "./server-error.ts"
import { send, type Target } from "./transport.ts"
import { readFrames } from "./frames.ts"

/** An event of a stream. Those of the connection itself, such as heartbeats, are left out. */
export interface ReceivedEvent {
  /** Pass it as `after` to receive what follows. */
  readonly position: string
  /** Set in a stream of all directories. */
  readonly directory?: string
  /** `server.resync`: the server does not know what was missed, so read the sessions again. */
  readonly event: Exclude<Event, { type: "server.connected" | "server.heartbeat" }>
}

export interface EventsOptions {
  /** The position after which the stream begins. Default: now */
  readonly after?: string
  /** Ends the stream. */
  readonly signal?: AbortSignal
  /** Absolute. Default: all directories */
  readonly directory?: string
  /** Called when the stream was cut or could not be opened, before the next attempt. */
  readonly onReconnect?: (error: unknown) => void
  /** Called when the stream is open. */
  readonly onConnected?: () => void
  /** Called at a heartbeat, after the events before it. After a reconnection, it follows what was missed. */
  readonly onHeartbeat?: () => void
  /** The server is dead if it sends nothing for this time. Its heartbeats come every 10 s. Default: 25 s */
  readonly silentMs?: number
}

const SILENT_MS = 25_000
const FIRST_DELAY_MS = 200
const MAX_DELAY_MS = 10_000

/**
 * Streams the events of a server, each once and in order, and connects again when the stream is cut. Ends when the signal
 * aborts; rejects with ServerError if the server refuses the request.
 */
export async function* readEvents(target: Target, options: EventsOptions = {}): AsyncGenerator<ReceivedEvent, void> {
  const { signal, onReconnect } = options
  let position = options.after
  let delayMs = FIRST_DELAY_MS
  for (;;) {
    try {
      for await (const { id, data } of connection(target, position, options)) {
        delayMs = FIRST_DELAY_MS
        position = id
        const received = receivedEvent(id, data)
        if (received) yield received
        else if (isHeartbeat(data)) options.onHeartbeat?.()
      }
      // The server has ended the stream, for example because it stops.
      if (signal?.aborted) return
      onReconnect?.(new Error("The server ended the stream."))
    } catch (error) {
      if (signal?.aborted) return
      if (error instanceof ServerError && error.status < 500) throw error
      onReconnect?.(error)
    }
    // Many clients of one server must not come back at the same moment.
    await delay(delayMs * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined)
    if (signal?.aborted) return
    delayMs = Math.min(delayMs * 2, MAX_DELAY_MS)
  }
}

/** Streams the frames of one connection. */
async function* connection(target: Target, position: string | undefined, options: EventsOptions) {
  const { directory, signal, onConnected, silentMs = SILENT_MS } = options
  const path = directory === undefined ? "/global/event" : `/event?directory=${encodeURIComponent(directory)}`
  const silence = new AbortController()
  const fail = () => silence.abort(new Error(`The server has sent nothing for ${silentMs} ms.`))
  const opening = setTimeout(fail, silentMs)
  const either = signal ? AbortSignal.any([signal, silence.signal]) : silence.signal
  const headers = position === undefined ? {} : { "last-event-id": position }
  try {
    const answer = await send(target, { method: "GET", path, headers, signal: either })
    clearTimeout(opening)
    onConnected?.()
    try {
      yield* readFrames(answer, { silentMs, fail })
    } finally {
      answer.destroy()
    }
  } catch (error) {
    throw silence.signal.aborted ? silence.signal.reason : error
  } finally {
    clearTimeout(opening)
  }
}

function isHeartbeat(data: string): boolean {
  return eventOf(data).type === "server.heartbeat"
}

function eventOf(data: string): Event {
  const value = JSON.parse(data) as Event | { readonly payload: Event }
  return "payload" in value ? value.payload : value
}

function receivedEvent(position: string, data: string): ReceivedEvent | undefined {
  const value = JSON.parse(data) as Event | { readonly directory?: string; readonly payload: Event }
  const event = "payload" in value ? value.payload : value
  if (event.type === "server.connected" || event.type === "server.heartbeat") return undefined
  const directory = "payload" in value ? value.directory : undefined
  return { position, event, ...(directory === undefined ? {} : { directory }) }
}
