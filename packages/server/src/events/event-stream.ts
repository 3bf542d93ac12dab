import { createIDSource } from "@pawl/core"
import { recordID } from "@pawl/core/storage"
import type { EventLog, LoggedEvent } from "./event-log.ts"
import type { Replay, Replayed } from "./replay.ts"

/** Interval of heartbeats in milliseconds. */
const HEARTBEAT_MS = 10_000
/** Characters that may wait for a reader, besides what it has missed. */
const MAX_WAITING = 1024 * 1024
/** Characters that a reader is given at once. */
const MAX_CHUNK = 64 * 1024

export interface EventStreamOptions {
  /** The last event that the client has seen. Events after it are sent first, or `server.resync` if they are not known. */
  readonly after?: string | undefined
  /** Reads what a client has missed, if the log no longer has it. */
  readonly replay?: Replay | undefined
  /** Default: events of all directories */
  readonly directory?: string
  /** Only events of this session, and those of no session. Default: of all sessions */
  readonly sessionID?: string | undefined
  /** Set to put each event in an envelope with its directory. Default: false */
  readonly isGlobal?: boolean
  /** Called if the client reads too slowly. Its connection has to be closed, because the stream waits for it. */
  readonly onOverflow?: () => void
  /** Called when the stream ends. */
  readonly onEnd?: () => void
  /** Default: 10 seconds */
  readonly heartbeat?: number
}

/** An event on its way to a client. Without a position, the client comes back with the position before. */
type Sent = Pick<LoggedEvent, "event" | "commit"> & {
  readonly directory?: string
  readonly position?: string | undefined
}

/**
 * Streams server-sent events: `server.connected`, then all events with their positions as ids, with heartbeats in between.
 * Ends if more than a mebibyte of new events waits for the reader.
 */
export function eventStream(log: EventLog, options: EventStreamOptions = {}): ReadableStream<Uint8Array> {
  const { after, replay, isGlobal = false, onOverflow, onEnd } = options
  const encoder = new TextEncoder()
  const ids = createIDSource(Date.now)
  /** Events that the client has missed. Sent before `waiting`. */
  let missed: readonly Sent[] = []
  let sentMissed = 0
  /** New events while the storage is read. */
  let held: LoggedEvent[] | undefined
  /** The events that were read from the storage. Others of these commits may still come. */
  let replayed: Replayed | undefined
  const waiting: string[] = []
  const undelivered = new Set<() => void>()
  let length = 0
  let isEnded = false
  /** Set while the reader waits for more. */
  let wake: (() => void) | undefined
  let end: () => void = () => undefined

  function isWanted({ directory, event: { properties } }: Sent): boolean {
    if (options.directory !== undefined && directory !== options.directory) return false
    if (options.sessionID === undefined) return true
    const { sessionID } = properties
    return sessionID === undefined || sessionID === options.sessionID
  }
  const textOf = (sent: Sent) =>
    `${sent.position === undefined ? "" : `id: ${sent.position}\n`}event: message\ndata: ${log.data(sent, isGlobal)}\n\n`
  const own = (type: string, position: string | undefined): Sent => {
    return { event: { id: ids.other("evt"), type, properties: {} }, position }
  }

  function isReplayed({ commit, event }: Sent): boolean {
    const reach = commit && replayed?.reached.get(commit.sessionID)
    if (!reach) return false
    const { reported, ahead, torn } = reach
    if (commit.revision <= reported || ahead.has(commit.revision)) return true
    return torn !== undefined && commit.revision <= torn.revision && torn.records.has(recordID(event))
  }

  /**
   * Returns whether an event that came while the storage was read says nothing more. Texts that are still being written
   * are sent as they are now, and the others with their commits.
   */
  function isIncluded(logged: LoggedEvent): boolean {
    if (logged.commit) return isReplayed(logged)
    return logged.event.type === "message.part.delta" || logged.event.type === "message.part.updated"
  }

  function send(sent: Sent): void {
    if (isEnded) return
    const text = textOf(sent)
    waiting.push(text)
    length += text.length
    if (length > MAX_WAITING) {
      end()
      onOverflow?.()
    } else wake?.()
  }

  /** Sends what the storage has, then what happened while it was read. */
  function endReplay(read: Replayed | undefined): void {
    const live = held ?? []
    held = undefined
    replayed = read
    // An event from before a commit that the storage has reported gets no position. A client that came back with it would get
    // that commit again.
    const lastIncluded = replayed ? live.findLastIndex((logged) => isIncluded(logged)) : -1
    const rest = live.map((logged, at): Sent => (at < lastIncluded ? { ...logged, position: undefined } : logged))
    const events = replayed
      ? [...withOpenParts(replayed, log), ...rest.filter((_, at) => !isIncluded(live[at] as LoggedEvent))]
      : [own("server.resync", log.position), ...live]
    // The last one tells the client its new position.
    missed = [
      ...missed,
      ...events.filter((sent) => !sent.directory || isWanted(sent)),
      own("server.heartbeat", log.position),
    ]
    wake?.()
  }

  function begin(): void {
    const known = after === undefined ? [] : log.after(after)
    if (after === undefined || known) {
      missed = [own("server.connected", after ?? log.position), ...(known ?? []).filter((sent) => isWanted(sent))]
    } else if (!replay) {
      // A position that this server has not given out does not go out again: it may hold anything.
      missed = [own("server.connected", log.position), own("server.resync", log.position)]
    } else {
      missed = [own("server.connected", undefined)]
      held = []
      void replay(after)
        .catch(() => undefined)
        .then(endReplay)
    }
  }

  /** Returns whether the reader has to wait for more. */
  const hasNothing = () => !isEnded && sentMissed === missed.length && (waiting.length === 0 || held !== undefined)
  const isIdle = () => wake !== undefined && waiting.length === 0 && !held && sentMissed === missed.length

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const unsubscribe = log.subscribe((logged) => {
          if (held) held.push(logged)
          else if (isWanted(logged) && !isReplayed(logged)) send(logged)
        }, options.sessionID)
        const removeStream = log.addStream({
          directory: options.directory,
          close: () => end(),
          delivered: () =>
            isEnded || isIdle() ? Promise.resolve() : new Promise((resolve) => undelivered.add(resolve)),
        })
        const timer = setInterval(() => {
          if (!held) send(own("server.heartbeat", log.position))
        }, options.heartbeat ?? HEARTBEAT_MS)
        timer.unref()
        end = () => {
          if (isEnded) return
          isEnded = true
          unsubscribe()
          removeStream()
          clearInterval(timer)
          waiting.length = 0
          missed = []
          held = undefined
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
        begin()
      },
      async pull(controller) {
        while (hasNothing()) {
          if (!held) {
            for (const resolve of undelivered) resolve()
            undelivered.clear()
          }
          await new Promise<void>((resolve) => (wake = resolve))
          wake = undefined
        }
        if (isEnded) return
        let text = ""
        while (text.length < MAX_CHUNK) {
          const next = missed[sentMissed]
          if (!next) break
          sentMissed++
          text += textOf(next)
        }
        if (sentMissed === missed.length) {
          missed = []
          sentMissed = 0
        }
        if (text === "") {
          text = waiting.splice(0).join("")
          length = 0
        }
        controller.enqueue(encoder.encode(text))
      },
      cancel: () => end(),
    },
    // Nothing is taken before the reader asks, so that an event which was taken has been written.
    { highWaterMark: 0 },
  )
}

/** Returns what the storage has, with the texts that are being written as they are now. */
function withOpenParts({ events }: Replayed, { openParts }: EventLog): Sent[] {
  const partOf = ({ event }: Sent) => (event.properties["part"] as { readonly id?: string } | undefined)?.id ?? ""
  return [...events.filter((sent) => !openParts.has(partOf(sent))), ...openParts.events()]
}
