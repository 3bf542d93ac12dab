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

/** Time after which the server is not expected to accept the request. */
const TIMEOUT_MS = 2000

/**
 * Asks the server, or the pooler before it, to cancel the client's statement, on a separate connection as the protocol
 * requires. Resolves when the server has the request or cannot be reached.
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
    // Without a reader, the end of the connection is not noticed.
    socket.resume()
  })
}
