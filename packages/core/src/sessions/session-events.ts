import type { SessionID } from "../base/ids.ts"
import type { EngineEvent, EventListener } from "../contracts/events.ts"

export interface SessionEventsOptions {
  /** Ends the loop once it has read the events that wait. */
  readonly signal?: AbortSignal
  /** Maximum number of events that wait for the reader. Default: 1000 */
  readonly maxWaiting?: number
}

export interface SessionEvents {
  /**
   * Follows the events of a session, and the questions of the sessions below it, from this call on. While the reader is
   * busy, deltas of a part are joined to one; no event is dropped. The loop ends when it is left, with the signal, when
   * the session is removed, and when the engine closes. It throws NotFoundError if the session does not exist, and
   * SlowReaderError, after the events before, if more than `maxWaiting` events would wait.
   */
  readonly open: (sessionID: SessionID, options?: SessionEventsOptions) => AsyncIterableIterator<EngineEvent>
  /** Ends all loops, once they have read the events that wait. */
  readonly close: () => void
}

export interface SessionEventsDeps {
  readonly subscribe: (listener: EventListener) => () => void
  readonly getSession: (id: SessionID) => Promise<unknown>
}

/** The loop over a session's events was too slow. The stored messages have what it missed. */
export class SlowReaderError extends Error {
  override readonly name = "SlowReaderError"
  readonly sessionID: SessionID
  constructor(sessionID: SessionID, maxWaiting: number) {
    super(
      `More than ${maxWaiting} events of session ${sessionID} wait for their reader. Read the messages, and follow the events again.`,
    )
    this.sessionID = sessionID
  }
}

const MAX_WAITING = 1000

export function createSessionEvents({ subscribe, getSession }: SessionEventsDeps): SessionEvents {
  const open = new Set<() => void>()
  let isClosed = false

  return {
    open(sessionID, { signal, maxWaiting = MAX_WAITING } = {}) {
      if (!(maxWaiting >= 1)) throw new RangeError(`maxWaiting is ${maxWaiting}: it must be 1 or more.`)
      const queue = createQueue(maxWaiting, () => new SlowReaderError(sessionID, maxWaiting), leave)
      const unsubscribe = subscribe((event) => {
        if (concerns(event, sessionID)) queue.add(event)
        if (event.type === "session.deleted" && event.properties.sessionID === sessionID) queue.end()
      })
      const onAbort = () => queue.end()
      signal?.addEventListener("abort", onAbort, { once: true })
      open.add(queue.end)
      if (isClosed || signal?.aborted) queue.end()
      void getSession(sessionID).catch((error: unknown) => queue.end(error))

      function leave() {
        unsubscribe()
        signal?.removeEventListener("abort", onAbort)
        open.delete(queue.end)
      }
      return {
        next: () => queue.next(),
        async return() {
          queue.drop()
          return { done: true, value: undefined }
        },
        [Symbol.asyncIterator]() {
          return this
        },
      }
    },
    close() {
      isClosed = true
      for (const end of open) end()
    },
  }
}

function concerns({ properties }: EngineEvent, id: SessionID): boolean {
  const { sessionID, rootSessionID } = properties as { readonly sessionID?: SessionID; rootSessionID?: SessionID }
  return sessionID === id || rootSessionID === id
}

type Next = IteratorResult<EngineEvent, undefined>

/** Events between a publisher, which does not wait, and one reader. `onEnd` is called once. */
function createQueue(maxWaiting: number, overflow: () => Error, onEnd: () => void) {
  const waiting: EngineEvent[] = []
  const readers: PromiseWithResolvers<Next>[] = []
  let isEnded = false
  let failure: { readonly error: unknown } | undefined

  function end(error?: unknown): void {
    if (isEnded) return
    isEnded = true
    if (error !== undefined) failure = { error }
    onEnd()
    for (const reader of readers.splice(0)) settle(reader)
  }

  /** Settles a reader for which no event waits. The failure is thrown once. */
  function settle({ resolve, reject }: PromiseWithResolvers<Next>): void {
    if (failure) reject(failure.error)
    else resolve({ done: true, value: undefined })
    failure = undefined
  }

  return {
    end,
    add(event: EngineEvent): void {
      if (isEnded) return
      const reader = readers.shift()
      const joined = joinedDelta(waiting.at(-1), event)
      if (reader) reader.resolve({ done: false, value: event })
      else if (joined) waiting[waiting.length - 1] = joined
      else if (waiting.length >= maxWaiting) end(overflow())
      else waiting.push(event)
    },
    drop(): void {
      waiting.length = 0
      failure = undefined
      end()
    },
    next(): Promise<Next> {
      const event = waiting.shift()
      if (event) return Promise.resolve({ done: false, value: event })
      const reader = Promise.withResolvers<Next>()
      if (isEnded) settle(reader)
      else readers.push(reader)
      return reader.promise
    },
  }
}

/** Returns both deltas as one, if they follow each other in the same part. */
function joinedDelta(last: EngineEvent | undefined, next: EngineEvent): EngineEvent | undefined {
  if (last?.type !== "message.part.delta" || next.type !== "message.part.delta") return undefined
  if (last.properties.partID !== next.properties.partID) return undefined
  return { ...next, properties: { ...next.properties, delta: last.properties.delta + next.properties.delta } }
}
