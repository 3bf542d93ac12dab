import { ProviderError } from "../errors.ts"
import type { Deadlines } from "../deadlines.ts"
import type { ModelEvent } from "../provider/model.ts"

type Open = (signal: AbortSignal) => AsyncIterable<ModelEvent>

/**
 * The events of a model's stream, which is stopped when the outer signal aborts, or when it is silent for too long:
 * then it ends with a ProviderError "transient", whether the model heeds its signal or not. One timer serves the
 * whole stream.
 */
export async function* withDeadlines(
  open: Open,
  signal: AbortSignal,
  deadlines: Pick<Deadlines, "firstEvent" | "idle">,
): AsyncGenerator<ModelEvent> {
  const inner = new AbortController()
  let expires = expiry(deadlines.firstEvent)
  let fail: (error: unknown) => void = () => {}
  let timer: NodeJS.Timeout | undefined
  const onAbort = () => stop(signal.reason)
  signal.throwIfAborted()
  signal.addEventListener("abort", onAbort, { once: true })
  arm()
  const iterator = open(inner.signal)[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await new Promise<IteratorResult<ModelEvent>>((resolve, reject) => {
        fail = reject
        iterator.next().then(resolve, reject)
      })
      if (next.done) return
      // Providers announce a stream before the model has said anything.
      if (next.value.type !== "start" && next.value.type !== "start-step") expires = expiry(deadlines.idle)
      yield next.value
    }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener("abort", onAbort)
    inner.abort()
  }

  function arm() {
    if (Number.isFinite(expires)) timer = setTimeout(check, Math.max(expires - performance.now(), 1))
  }
  function check() {
    if (performance.now() < expires) return arm()
    stop(new ProviderError("transient", "The model has gone silent: nothing came before the deadline."))
  }
  function stop(reason: unknown) {
    fail(reason)
    inner.abort(reason)
  }
}

function expiry(deadline: number): number {
  return deadline === 0 ? Infinity : performance.now() + deadline
}
