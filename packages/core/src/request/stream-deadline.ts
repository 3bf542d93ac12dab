import type { Deadlines } from "../base/deadlines.ts"
import { ProviderError } from "../base/errors.ts"
import type { ModelEvent, RequestWatch } from "../contracts/model.ts"

/** While the reader works, its end is looked for this often. Milliseconds. */
const RECHECK = 500

/** Why the signal of a stream that has ended aborts. One for all: each that is made costs its stack, at every step. */
const over = Object.freeze(new DOMException("The answer is over.", "AbortError"))

type Open = (signal: AbortSignal, watch: RequestWatch) => AsyncIterable<ModelEvent>

export type StreamDeadlines = Pick<Deadlines, "firstEvent" | "idle"> & Partial<Pick<Deadlines, "events" | "waiting">>

/** What a model that says nothing is known to do. */
export interface ModelWait {
  /** Milliseconds since its last event, or since the request. */
  readonly waited: number
  /** Bytes have come meanwhile, so the connection stands. */
  readonly isAlive: boolean
}

export interface StreamWatch {
  /** Called once: when the request has left, or at the first sign of an answer. */
  readonly onSent?: (() => void) | undefined
  /** Called after `waiting` milliseconds without an event, and each time that the wait has doubled. */
  readonly onWaiting?: ((wait: ModelWait) => void) | undefined
}

/**
 * The events of a model's stream, which is stopped when the outer signal aborts, or when it is silent for too long:
 * then it ends with a ProviderError "transient", even if the model ignores its signal. Silence is measured twice: that
 * of the wire, which any byte ends, and that of the model, which an event ends. Only time spent waiting for the model
 * counts. One timer serves the whole stream.
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
  /** When the wait for the next event began; Infinity while the reader works. */
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
    // Of a process that was kept from working, timers come before the bytes that are there already.
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
    timer = isLimited ? setTimeout(check, Math.min(Math.max(left, 1), RECHECK)) : undefined
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
      // The time that the reader takes is not the model's.
      since = Infinity
      // Providers announce a stream before the model has said anything.
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
    // Not awaited: a model that does not heed its signal would hold it up.
    iterator?.return?.().catch(() => undefined)
  }
}

function onlyKeepAlives(deadline: number): string {
  return `The model has said nothing for ${deadline / 1000} s, although its server keeps the connection alive.`
}

/** Milliseconds until the deadline has passed; 0 is none. */
function leftOf(deadline: number, since: number, now: number): number {
  return deadline > 0 ? since + deadline - now : Infinity
}

/** Of two deadlines, of which 0 is none. */
function longer(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : Math.max(a, b)
}

/** Cheaper than a race, which would leave a reaction on a long-lived promise for each of a hundred thousand deltas. */
function nextOr<T>(
  iterator: AsyncIterator<T>,
  onWake: (reject: (reason: unknown) => void) => void,
): Promise<IteratorResult<T>> {
  return new Promise((resolve, reject) => {
    onWake(reject)
    iterator.next().then(resolve, reject)
  })
}
