import type { ClientRequest } from "node:http"
import type { Socket } from "node:net"

/**
 * Requests that are opened before it is known what they ask: their connections stand, secured, when it is. One for each
 * server, opened by Node's client as any other. None keeps the process alive once its connection stands.
 */
export interface RequestsAhead {
  /** Nothing where one is open already. What becomes of it is told to nobody: a request that needs it opens its own then. */
  add(server: string, open: () => ClientRequest): void
  /** From now on the taker's, with what it asks for. Undefined where there is none that could be used. */
  take(server: string, asked: Asked): ClientRequest | undefined
  /** Closes them all. */
  discard(): void
}

export interface Asked {
  readonly path: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
}

interface Ahead {
  readonly request: ClientRequest
  /** When nobody may have it any more, of the monotonic clock. */
  readonly expires: number
  readonly letGo: () => void
}

/** In milliseconds. Servers close connections on which nothing is asked, the strictest after a few seconds. */
const KEPT = 3_000

/** `kept`: milliseconds after which a request that nothing was asked with is closed. */
export function createRequestsAhead(kept = KEPT): RequestsAhead {
  const ahead = new Map<string, Ahead>()

  function add(server: string, request: ClientRequest): void {
    const discard = () => {
      letGo()
      request.destroy()
    }
    const unref = (socket: Socket) => void socket.unref()
    const timer = setTimeout(discard, kept).unref()
    // An answer before the question is no answer to it.
    const ends = ["error", "response", "close"] as const
    const letGo = () => {
      clearTimeout(timer)
      for (const end of ends) request.off(end, discard)
      request.off("socket", unref)
      ahead.delete(server)
    }
    for (const end of ends) request.on(end, discard)
    // It may fail once more while it is destroyed.
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
        // The request fails by the same cause, and says it.
      }
    },
    take(server, { path, method, headers }) {
      const found = ahead.get(server)
      if (!found) return undefined
      const { request, letGo, expires } = found
      letGo()
      // While the event loop stood still nobody heard of its end.
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
