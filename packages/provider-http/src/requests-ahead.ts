import type { ClientRequest } from "node:http"
import type { Socket } from "node:net"

/**
 * Requests opened before their content is known, so that their connections are already established and secured. At most
 * one per server, opened by Node's client like any other. An established one does not keep the process alive.
 */
export interface RequestsAhead {
  /** Does nothing if one is open. Does not report failures: the next request then opens its own connection. */
  add(server: string, open: () => ClientRequest): void
  /** Gives the request to the caller. Undefined if there is no usable one. */
  take(server: string, asked: AheadRequest): ClientRequest | undefined
  discard(): void
}

export interface AheadRequest {
  readonly path: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
}

interface Ahead {
  readonly request: ClientRequest
  /** End of use, by the monotonic clock. */
  readonly expires: number
  readonly letGo: () => void
}

/** Servers close idle connections, some after a few seconds. */
const KEPT_MS = 3_000

/** Closes unused requests after `kept` milliseconds. */
export function createRequestsAhead(kept = KEPT_MS): RequestsAhead {
  const ahead = new Map<string, Ahead>()

  function add(server: string, request: ClientRequest): void {
    const discard = () => {
      letGo()
      request.destroy()
    }
    const unref = (socket: Socket) => void socket.unref()
    const timer = setTimeout(discard, kept).unref()
    // A response before the request was sent is invalid.
    const ends = ["error", "response", "close"] as const
    const letGo = () => {
      clearTimeout(timer)
      for (const end of ends) request.off(end, discard)
      request.off("socket", unref)
      ahead.delete(server)
    }
    for (const end of ends) request.on(end, discard)
    // Destroying it may raise another error.
    request.on("error", () => undefined)
    request.on("socket", unref)
    ahead.set(server, { request, letGo, expires: performance.now() + kept })
  }

  return {
    add(server, open) {
      if (ahead.has(server)) return
      try {
        add(server, open())
      } catch {
        // The request reports the same failure.
      }
    },
    take(server, { path, method, headers }) {
      const found = ahead.get(server)
      if (!found) return undefined
      const { request, letGo, expires } = found
      letGo()
      // A blocked event loop delays the timer that would have closed it.
      if (performance.now() >= expires) {
        request.destroy()
        return undefined
      }
      request.socket?.ref()
      Object.assign(request, { path, method })
      try {
        for (const [name, value] of Object.entries(headers)) request.setHeader(name, value)
      } catch (error) {
        request.destroy()
        throw error
      }
      return request
    },
    discard() {
      for (const { request, letGo } of ahead.values()) {
        letGo()
        request.destroy()
      }
    },
  }
}
