import type { Deadlines } from "../deadlines.ts"
import { ProviderError } from "../errors.ts"
import type { ModelEvent } from "../provider/model.ts"

/** While the reader works, its end is looked for this often. Milliseconds. */
const RECHECK = 500

/** Why the signal of a stream that has ended aborts. One for all: each that is made costs its stack, at every step. */
const over = Object.freeze(new DOMException("The answer is over.", "AbortError"))

type Open = (signal: AbortSignal) => AsyncIterable<ModelEvent>

/**
 * The events of a model's stream, which is stopped when the outer signal aborts, or when it is silent for too long:
 * then it ends with a ProviderError "transient", whether the model heeds its signal or not. Only time spent waiting
 * for the model counts. One timer serves the whole stream.
 */
export async function* withDeadlines(
  open: Open,
  signal: AbortSignal,
  deadlines: Pick<Deadlines, "firstEvent" | "idle">,
): AsyncGenerator<ModelEvent> {
  signal.throwIfAborted()
  const inner = new AbortController()
  let deadline = deadlines.firstEvent
  let since = performance.now()
  let wake: (reason: unknown) => void = () => {}
  let timer: NodeJS.Timeout | undefined
  const stop = (reason: unknown) => {
    inner.abort(reason)
    wake(reason)
  }
  const check = () => {
    const left = since + deadline - performance.now()
    if (left > 0) watch(Math.min(left, RECHECK))
    else stop(new ProviderError("transient", `The model has been silent for ${deadline / 1000} s.`))
  }
  const watch = (milliseconds: number) => {
    clearTimeout(timer)
    if (deadline > 0) timer = setTimeout(check, milliseconds)
  }
  const onAbort = () => stop(signal.reason)
  signal.addEventListener("abort", onAbort, { once: true })
  let iterator: AsyncIterator<ModelEvent> | undefined
  try {
    iterator = open(inner.signal)[Symbol.asyncIterator]()
    watch(Math.min(deadline, RECHECK))
    for (let isFirst = true; ;) {
      inner.signal.throwIfAborted()
      since = performance.now()
      const { value: event, done } = await nextOr(iterator, (reject) => (wake = reject))
      if (done) return
      // Providers announce a stream before the model has said anything.
      if (isFirst && event.type !== "start" && event.type !== "start-step") {
        isFirst = false
        deadline = deadlines.idle
        watch(Math.min(deadline, RECHECK))
      }
      // The time that the reader takes is not the model's.
      since = Infinity
      yield event
    }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener("abort", onAbort)
    inner.abort(over)
    // Not awaited: a model that does not heed its signal would hold it up.
    iterator?.return?.().catch(() => undefined)
  }
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
