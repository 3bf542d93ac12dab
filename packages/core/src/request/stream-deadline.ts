import type { Deadlines } from "../base/deadlines.ts"
import { ProviderError } from "../base/errors.ts"
import type { ModelEvent, RequestWatch } from "../contracts/model.ts"

/** Maximum time between two checks, because no timer fires when the reader ends its work. */
const RECHECK_MS = 500

/** Abort reason of the signal of an ended stream. Shared, because each new error costs a stack trace. */
const over = Object.freeze(new DOMException("The answer is over.", "AbortError"))

type Open = (signal: AbortSignal, watch: RequestWatch) => AsyncIterable<ModelEvent>

export type StreamDeadlines = Pick<Deadlines, "firstEvent" | "idle"> & Partial<Pick<Deadlines, "events" | "waiting">>

/** State of a model that sends no events. */
export interface ModelWait {
  /** Milliseconds since the last event, or since the request. */
  readonly waited: number
  /** Set if bytes arrived meanwhile, so the connection is alive. */
  readonly isAlive: boolean
}

export interface StreamWatch {
  /** Called once: after the request was sent, or at the first byte of an answer. */
  readonly onSent?: (() => void) | undefined
  /** Called after `waiting` milliseconds without an event, and each time the wait has doubled. */
  readonly onWaiting?: ((wait: ModelWait) => void) | undefined
}

/**
 * Yields the events of a model's stream. Stops the stream if the signal aborts or the stream is silent for too long. A
 * silent stream ends with a ProviderError "transient", even if the model ignores its signal. Measures two silences:
 * that of the wire, which any byte ends, and that of the model, which an event ends. Only the time of waiting for the
 * model counts. A single timer serves the whole stream.
 */
export async function* withDeadlines(
  open: Open,
  signal: AbortSignal,
  deadlines: StreamDeadlines,
  { onSent, onWaiting }: StreamWatch = {},
): AsyncGenerator<ModelEvent> {
  signal.throwIfAborted()
  const inner = new AbortController()
  const { waiting = 0 } = deadlines
  let wire = deadlines.firstEvent
  /** Time at which the wait for the next event began. Infinity while the reader works. */
  let since = performance.now()
  let bytesAt = 0
  let noticeAfter = waiting
  let isSent = false
  let wake: (reason: unknown) => void = () => {}
  let timer: NodeJS.Timeout | undefined
  let late: NodeJS.Immediate | undefined
  const stop = (reason: unknown) => {
    inner.abort(reason)
    wake(reason)
  }
  const sent = () => {
    if (isSent) return
    isSent = true
    onSent?.()
  }
  const check = (isConfirmed = false) => {
    const now = performance.now()
    const events = longer(wire, deadlines.events ?? 0)
    const wireLeft = leftOf(wire, Math.max(since, bytesAt), now)
    const eventsLeft = leftOf(events, since, now)
    // In a process that was blocked, timers fire before the bytes that have arrived already. Read these first.
    if (Math.min(wireLeft, eventsLeft) <= 0 && !isConfirmed) return void (late = setImmediate(check, true))
    if (wireLeft <= 0) return stop(new ProviderError("transient", `The model has been silent for ${wire / 1000} s.`))
    if (eventsLeft <= 0) return stop(new ProviderError("transient", onlyKeepAlives(events)))
    if (onWaiting && noticeAfter > 0 && now - since >= noticeAfter) {
      onWaiting({ waited: now - since, isAlive: bytesAt > since })
      while (noticeAfter <= now - since) noticeAfter *= 2
    }
    const noticeLeft = onWaiting ? leftOf(noticeAfter, since, now) : Infinity
    watch(Math.min(wireLeft, eventsLeft, noticeLeft))
  }
  const watch = (left: number) => {
    clearTimeout(timer)
    const isLimited = wire > 0 || (onWaiting !== undefined && waiting > 0)
    timer = isLimited ? setTimeout(check, Math.min(Math.max(left, 1), RECHECK_MS)) : undefined
  }
  const onAbort = () => stop(signal.reason)
  signal.addEventListener("abort", onAbort, { once: true })
  const requestWatch: RequestWatch = {
    onSent: sent,
    onBytes() {
      sent()
      bytesAt = performance.now()
    },
  }
  let iterator: AsyncIterator<ModelEvent> | undefined
  try {
    iterator = open(inner.signal, requestWatch)[Symbol.asyncIterator]()
    check()
    for (let isFirst = true; ;) {
      inner.signal.throwIfAborted()
      since = performance.now()
      const { value: event, done } = await nextOr(iterator, (reject) => (wake = reject))
      if (done) return
      sent()
      noticeAfter = waiting
      // The reader's own time does not count.
      since = Infinity
      // Providers send the start of a stream before the model's first output.
      if (isFirst && event.type !== "start" && event.type !== "start-step") {
        isFirst = false
        wire = deadlines.idle
        watch(Math.min(wire || Infinity, waiting || Infinity))
      }
      yield event
    }
  } finally {
    clearTimeout(timer)
    clearImmediate(late)
    signal.removeEventListener("abort", onAbort)
    inner.abort(over)
    // Not awaited, because a model that ignores its signal would block here.
    iterator?.return?.().catch(() => undefined)
  }
}

function onlyKeepAlives(deadline: number): string {
  return `The model has said nothing for ${deadline / 1000} s, although its server keeps the connection alive.`
}

/** Returns the milliseconds until the deadline. A deadline of 0 never passes. */
function leftOf(deadline: number, since: number, now: number): number {
  return deadline > 0 ? since + deadline - now : Infinity
}

/** Returns the longer of two deadlines. 0: no deadline. */
function longer(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : Math.max(a, b)
}

/**
 * Returns the next event, unless `reject` is called. `Promise.race` would add a reaction to a long-lived promise for
 * each delta.
 */
function nextOr<T>(
  iterator: AsyncIterator<T>,
  onWake: (reject: (reason: unknown) => void) => void,
): Promise<IteratorResult<T>> {
  return new Promise((resolve, reject) => {
    onWake(reject)
    iterator.next().then(resolve, reject)
  })
}
