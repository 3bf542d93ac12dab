import { randomBytes } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import type { Revision, SessionID } from "@pawl/core/storage"
import type { OpenCodeEvent } from "../shapes/event.ts"
import { createOpenParts, type OpenParts } from "./open-parts.ts"

/** An event with its place among all events of a server. */
export interface LoggedEvent {
  /** `epoch.number`. The epoch names the server's process, and the number grows by one with each event. */
  readonly position: string
  readonly directory: string
  readonly event: OpenCodeEvent
  /** The commit that the event reports. */
  readonly commit?: LoggedCommit | undefined
}

export interface LoggedCommit {
  readonly sessionID: SessionID
  readonly revision: Revision
}

/** A stream of events to one client. */
export interface DeliveredStream {
  /** The directory of its events. Missing for events of all directories. */
  readonly directory?: string | undefined
  close(): void
  /** Resolves when all events until now were written, or the stream has ended. */
  delivered(): Promise<void>
}

/** Numbers the events of a server, and keeps the latest for clients that come back. */
export interface EventLog {
  /** The position of the newest event. */
  readonly position: string
  /** Names this log in positions. */
  readonly epoch: string
  /** Number of events so far. */
  readonly number: number
  /** The parts whose texts are being written. */
  readonly openParts: Pick<OpenParts, "has" | "ofMessage" | "events">
  /** False if no client receives events. */
  readonly isFollowed: boolean
  append(directory: string, event: OpenCodeEvent, commit?: LoggedCommit): void
  /** Returns an event as JSON, made once for all clients. `isGlobal`: in an envelope with its directory. */
  data(sent: Pick<LoggedEvent, "event"> & { readonly directory?: string }, isGlobal: boolean): string
  /** Returns the events after a position, oldest first; undefined if some of them are no longer known. */
  after(position: string): readonly LoggedEvent[] | undefined
  /**
   * Calls the listener with all events from now on; with a session, only with its own and those of no session. Returns the
   * function that ends the subscription.
   */
  subscribe(listener: (logged: LoggedEvent) => void, sessionID?: string): () => void
  /** Adds an open stream. Returns the function that removes it. */
  addStream(stream: DeliveredStream): () => void
  /** Returns whether a client follows the events of this directory only; undefined: those of all directories. */
  isStreaming(directory: string | undefined): boolean
  /** Resolves when all open streams have written the events until now, but waits at most two seconds for slow readers. */
  delivered(): Promise<void>
  /** Ends all open streams. */
  close(): void
}

export interface EventLogOptions {
  /** Estimated memory of kept events. 0: none are kept. Default: 16 MiB */
  readonly maxBytes?: number
}

const MAX_DELIVERY_MS = 2000
const READ_AHEAD_MS = 20
/** Memory of an event besides its text. */
const EVENT_BYTES = 300
/** Memory of a delta besides its text, with the ids that it names. */
const DELTA_BYTES = 450

export function createEventLog({ maxBytes = 16 * 1024 * 1024 }: EventLogOptions = {}): EventLog {
  const epoch = randomBytes(6).toString("hex")
  const listeners = createListeners()
  const streams = new Set<DeliveredStream>()
  /** Streams that were waited for in vain. */
  const stalled = new WeakSet<DeliveredStream>()
  const plainTexts = new WeakMap<OpenCodeEvent, string>()
  const globalTexts = new WeakMap<OpenCodeEvent, string>()
  const openParts = createOpenParts()
  const kept: { readonly logged: LoggedEvent; readonly bytes: number }[] = []
  let first = 1
  let newest = 0
  let bytes = 0

  function keep(logged: LoggedEvent): void {
    if (maxBytes === 0) return
    const { type, properties } = logged.event
    const size =
      type === "message.part.delta" ? DELTA_BYTES + 2 * String(properties["delta"]).length : sizeOf(logged.event)
    kept.push({ logged, bytes: size })
    bytes += size
    let dropped = 0
    while (bytes > maxBytes && dropped < kept.length) bytes -= kept[dropped++]?.bytes ?? 0
    // Removing from the front costs as much as the list is long, so remove many at once.
    if (dropped > 0) {
      while (bytes > maxBytes * 0.75 && dropped < kept.length) bytes -= kept[dropped++]?.bytes ?? 0
      kept.splice(0, dropped)
      first += dropped
    }
  }

  return {
    get position() {
      return `${epoch}.${newest}`
    },
    epoch,
    openParts,
    get number() {
      return newest
    },
    get isFollowed() {
      return maxBytes > 0 || !listeners.isEmpty
    },
    append(directory, event, commit) {
      newest++
      const logged = { position: `${epoch}.${newest}`, directory, event, commit }
      openParts.follow(directory, event)
      keep(logged)
      listeners.notify(logged)
    },
    data({ event, directory }, isGlobal) {
      const texts = isGlobal ? globalTexts : plainTexts
      const known = texts.get(event)
      if (known !== undefined) return known
      const payload = directory === undefined ? { payload: event } : { directory, payload: event }
      const text = JSON.stringify(isGlobal ? payload : event)
      texts.set(event, text)
      return text
    },
    after(position) {
      const [, known, digits = ""] = /^([\da-f]{12})\.(\d{1,15})$/.exec(position) ?? []
      const number = Number(digits)
      if (known !== epoch || number > newest || number + 1 < first) return undefined
      if (kept.length === 0) return number === newest ? [] : undefined
      return kept.slice(number + 1 - first).map(({ logged }) => logged)
    },
    subscribe: (listener, sessionID) => listeners.add(listener, sessionID),
    addStream(stream) {
      streams.add(stream)
      return () => void streams.delete(stream)
    },
    isStreaming(directory) {
      return [...streams].some((stream) => stream.directory === directory)
    },
    close() {
      for (const stream of [...streams]) stream.close()
    },
    async delivered() {
      if (streams.size === 0) return
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, MAX_DELIVERY_MS)
      // A reader that stands still is waited for once, until it reads again.
      const late = new Set([...streams].filter((stream) => !stalled.has(stream)))
      const waits = [...late].map(async (stream) => {
        await stream.delivered()
        late.delete(stream)
        stalled.delete(stream)
      })
      await Promise.race([Promise.all(waits), promise])
      for (const stream of late) stalled.add(stream)
      clearTimeout(timer)
      // A client reads its connections in any order when both have something, so let it read the stream first.
      await sleep(READ_AHEAD_MS)
    },
  }
}

type Listener = (logged: LoggedEvent) => void

/** Listeners by session, so that an event costs nothing for the clients of other sessions. */
function createListeners() {
  const bySession = new Map<string | undefined, Set<Listener>>()
  const notifyAll = (listeners: ReadonlySet<Listener> | undefined, logged: LoggedEvent) => {
    for (const listener of listeners ?? []) listener(logged)
  }
  return {
    get isEmpty() {
      return bySession.size === 0
    },
    add(listener: Listener, sessionID?: string): () => void {
      // The same function may be added twice.
      const own: Listener = (logged) => listener(logged)
      const group = bySession.get(sessionID) ?? new Set()
      bySession.set(sessionID, group.add(own))
      return () => {
        group.delete(own)
        if (group.size === 0 && bySession.get(sessionID) === group) bySession.delete(sessionID)
      }
    },
    notify(logged: LoggedEvent): void {
      const { sessionID } = logged.event.properties
      notifyAll(bySession.get(undefined), logged)
      if (typeof sessionID === "string") notifyAll(bySession.get(sessionID), logged)
      else if (sessionID === undefined) {
        for (const [id, listeners] of bySession) if (id !== undefined) notifyAll(listeners, logged)
      }
    },
  }
}

/** Estimates the memory of an event by its texts. */
function sizeOf(value: unknown): number {
  if (typeof value === "string") return 2 * value.length
  if (typeof value !== "object" || value === null) return 8
  let size = EVENT_BYTES / 4
  for (const each of Object.values(value)) size += sizeOf(each)
  return size
}
