import { responseOf } from "./http-response.ts"
import { MAX_TIMER_MS } from "./max-timer.ts"

type Fetch = typeof globalThis.fetch

/** In milliseconds; 0 for no limit. */
export interface Waits {
  /** From a request to the head of its answer. */
  readonly header?: number | undefined
  /** Between two chunks of the body, while a reader waits. */
  readonly chunk?: number | undefined
}

/**
 * A fetch with timeouts for silent servers. It fails as other fetches do: before the head with an error of code
 * `UND_ERR_HEADERS_TIMEOUT`, in the body with TypeError "terminated", whose cause has the code `UND_ERR_BODY_TIMEOUT`.
 */
export function withWaits(fetch: Fetch, { header = 0, chunk = 0 }: Waits): Fetch {
  if (header <= 0 && chunk <= 0) return fetch
  return async (input, init) => {
    const silence = new AbortController()
    const signal = AbortSignal.any([silence.signal, ...(init?.signal ? [init.signal] : [])])
    const giveUp = () => silence.abort(failure("no answer within the time limit", "UND_ERR_HEADERS_TIMEOUT"))
    const timer = header > 0 ? setTimeout(giveUp, Math.min(header, MAX_TIMER_MS)) : undefined
    const response = await fetch(input, { ...init, signal }).finally(() => clearTimeout(timer))
    if (chunk <= 0 || response.body === null) return response
    return responseOf(response, watched(response.body, chunk, silence))
  }
}

function watched(body: ReadableStream<Uint8Array>, chunk: number, silence: AbortController) {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { promise, reject } = Promise.withResolvers<never>()
        const timer = setTimeout(
          () => {
            const cause = failure("silence in the middle of the answer", "UND_ERR_BODY_TIMEOUT")
            reject(new TypeError("terminated", { cause }))
          },
          Math.min(chunk, MAX_TIMER_MS),
        )
        try {
          const { done, value } = await Promise.race([reader.read(), promise])
          if (done) controller.close()
          else controller.enqueue(value)
        } catch (error) {
          silence.abort(error)
          throw error
        } finally {
          clearTimeout(timer)
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

function failure(message: string, code: string): Error {
  return Object.assign(new Error(message), { code })
}
