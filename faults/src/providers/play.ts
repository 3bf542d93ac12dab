import type { Socket } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"

/** An action of a server on a connection. After the last one it is silent. */
export type Act =
  | { readonly type: "send"; readonly bytes: string | Buffer }
  | { readonly type: "wait"; readonly milliseconds: number }
  /** Repeated until the client disconnects. */
  | { readonly type: "repeat"; readonly bytes: string; readonly every: number }
  /** Sends FIN. */
  | { readonly type: "end" }
  /** Sends RST. */
  | { readonly type: "reset" }

export const send = (bytes: string | Buffer): Act => ({ type: "send", bytes })
export const end: Act = { type: "end" }
export const reset: Act = { type: "reset" }

/** Plays acts until all are done or the connection is closed. */
export async function play(acts: readonly Act[], socket: Socket): Promise<void> {
  for (const act of acts) {
    if (socket.destroyed) return
    switch (act.type) {
      case "send":
        await written(socket, act.bytes)
        break
      case "wait":
        await sleep(act.milliseconds)
        break
      case "repeat":
        while (!socket.destroyed) {
          await written(socket, act.bytes)
          await sleep(act.every)
        }
        return
      case "end":
        socket.end()
        return
      case "reset":
        socket.resetAndDestroy()
        return
    }
  }
}

/** Resolves when the bytes are sent, so that a reset does not discard them. */
function written(socket: Socket, bytes: string | Buffer): Promise<void> {
  return new Promise((resolve) => socket.write(bytes, () => setImmediate(resolve)))
}
