import { EventEmitter, once } from "node:events"
import type { RecordedRequest } from "./recorded-request.ts"

/** The requests in order of arrival, and a way to wait for them. */
export interface RequestLog {
  readonly requests: readonly RecordedRequest[]
  /** Enters a request that was received; `keep` decides whether it stays in `requests`. */
  add(request: RecordedRequest, keep: boolean): void
  /** Call when an exchange begins; call what it returns when it is over. */
  open(): () => void
  /** Resolves when `count` requests were received; rejects when the server closes before. */
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

  return {
    requests,
    add(request, keep) {
      received++
      if (keep) requests.push(request)
      changes.emit("change")
    },
    open() {
      exchanges++
      return () => {
        exchanges--
        changes.emit("change")
      }
    },
    async received(count) {
      while (received < count) {
        if (closed) throw new Error(`The model server was closed after ${received} of ${count} expected requests.`)
        await once(changes, "change")
      }
      return requests
    },
    async idle() {
      while (exchanges > 0) await once(changes, "change")
    },
    close() {
      closed = true
      changes.emit("change")
    },
  }
}
