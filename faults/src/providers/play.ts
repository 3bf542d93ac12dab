import type { Socket } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"

/** What a server does with a connection, one after the other. After the last of them it is silent. */
export type Act =
  | { readonly type: "send"; readonly bytes: string | Buffer }
  | { readonly type: "wait"; readonly milliseconds: number }
  /** Again and again until the client leaves. */
  | { readonly type: "repeat"; readonly bytes: string; readonly every: number }
  /** FIN. */
  | { readonly type: "end" }
  /** RST. */
  | { readonly type: "reset" }

export const send = (bytes: string | Buffer): Act => ({ type: "send", bytes })
export const end: Act = { type: "end" }
export const reset: Act = { type: "reset" }

/** Plays acts until they are over or the connection is gone. */
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

/** What was written is out, so that a reset does not take it back. */
function written(socket: Socket, bytes: string | Buffer): Promise<void> {
  return new Promise((resolve) => socket.write(bytes, () => setImmediate(resolve)))
}
