import { connect } from "node:net"
import type { ClientBase } from "pg"

/** Fields of the client's connection that its types omit. */
interface Connected {
  readonly host?: unknown
  readonly port?: unknown
  readonly processID?: unknown
  readonly secretKey?: unknown
}

/** https://www.postgresql.org/docs/current/protocol-message-formats.html, CancelRequest */
const CANCEL_REQUEST = 80_877_102

/** A server that does not take the request by then will not. */
const TIMEOUT_MS = 2000

/**
 * Asks the server, or the pooler before it, to give up what the client runs: on a connection of its own, as the protocol
 * wants it. Resolves when the server has taken the request or cannot be reached; the statement then ends by itself.
 */
export function requestCancel(client: ClientBase): Promise<void> {
  const { host, port, processID, secretKey } = client as Connected
  if (typeof host !== "string" || typeof processID !== "number" || typeof secretKey !== "number") {
    return Promise.resolve()
  }
  const message = Buffer.alloc(16)
  message.writeInt32BE(message.length, 0)
  message.writeInt32BE(CANCEL_REQUEST, 4)
  message.writeInt32BE(processID, 8)
  message.writeInt32BE(secretKey, 12)
  const socket = host.startsWith("/") ? connect(`${host}/.s.PGSQL.${Number(port)}`) : connect(Number(port), host)
  return new Promise((resolve) => {
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy())
    socket.on("error", () => socket.destroy())
    socket.on("close", () => resolve())
    socket.end(message)
    // Without a reader, the end of the server's side is not seen.
    socket.resume()
  })
}
