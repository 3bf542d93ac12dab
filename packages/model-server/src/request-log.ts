import { EventEmitter, once } from "node:events"
import type { RecordedRequest } from "./recorded-request.ts"

/** The requests in order of arrival. */
export interface RequestLog {
  readonly requests: readonly RecordedRequest[]
  /** Adds a received request. `keep`: true to include it in `requests`. */
  add(request: RecordedRequest, keep: boolean): void
  /** Counts an exchange as in progress until its promise settles. Rejects with its error. */
  track(exchange: Promise<unknown>): Promise<void>
  /** Resolves when `count` requests were received. Rejects if the server closes first. */
  received(count: number): Promise<readonly RecordedRequest[]>
  /** Resolves when no request is being received or answered. */
  idle(): Promise<void>
  close(): void
}

export function requestLog(): RequestLog {
  const requests: RecordedRequest[] = []
  const changes = new EventEmitter().setMaxListeners(0)
  let received = 0
  let exchanges = 0
  let closed = false

  async function until(condition: () => boolean): Promise<void> {
    while (!condition()) await once(changes, "change")
  }

  return {
    requests,
    add(request, keep) {
      received++
      if (keep) requests.push(request)
      changes.emit("change")
    },
    async track(exchange) {
      exchanges++
      try {
        await exchange
      } finally {
        exchanges--
        changes.emit("change")
      }
    },
    async received(count) {
      await until(() => closed || received >= count)
      if (received >= count) return requests
      throw new Error(`The model server was closed after ${received} of ${count} expected requests.`)
    },
    async idle() {
      await until(() => exchanges === 0)
    },
    close() {
      closed = true
      changes.emit("change")
    },
  }
}
