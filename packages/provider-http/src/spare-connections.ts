import type { Socket } from "node:net"

/** Connections that stand, or are about to, for requests that are still being made: one for each place. */
export interface SpareConnections {
  /** Opens one, unless there is one already. What becomes of it is told to nobody: a request opens its own then. */
  add(place: string, open: () => Socket): void
  /** From now on the taker's. Undefined where there is none that could be used. */
  take(place: string): Socket | undefined
}

/** In milliseconds. A request that takes longer to make opens a connection of its own: servers close idle ones. */
const KEPT = 10_000

/** No connection keeps the process alive. */
export function createSpareConnections(): SpareConnections {
  const spares = new Map<string, { readonly socket: Socket; readonly letGo: () => void }>()

  function add(place: string, open: () => Socket): void {
    if (spares.has(place)) return
    const socket = open()
    const forget = () => {
      letGo()
      socket.destroy()
    }
    const timer = setTimeout(forget, KEPT)
    const letGo = () => {
      clearTimeout(timer)
      for (const event of ["error", "end", "close"]) socket.off(event, forget)
      spares.delete(place)
    }
    for (const event of ["error", "end", "close"]) socket.on(event, forget)
    timer.unref()
    socket.unref()
    spares.set(place, { socket, letGo })
  }

  return {
    add(place, open) {
      try {
        add(place, open)
      } catch {
        // The request fails by the same cause, and says it.
      }
    },
    take(place) {
      const spare = spares.get(place)
      spare?.letGo()
      spare?.socket.ref()
      return spare?.socket
    },
  }
}
