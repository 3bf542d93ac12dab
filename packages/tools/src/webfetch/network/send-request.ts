import { type IncomingMessage, type OutgoingHttpHeaders, request } from "node:http"
import { isIP, type Socket } from "node:net"
import { connect as secure } from "node:tls"
import type { Network, SocketTarget } from "./network.ts"

export interface RequestOptions {
  /** Host of the URL, whose addresses were checked. */
  readonly host: string
  readonly addresses: readonly string[]
  readonly headers: OutgoingHttpHeaders
  readonly signal: AbortSignal
}

const MAX_HEADER_BYTES = 16 * 1024

/** Sends one GET over its own connection. Resolves with the response head. `signal` also ends the body. */
export function sendRequest(url: URL, options: RequestOptions, { connect }: Pick<Network, "connect">) {
  const { host, addresses, headers, signal } = options
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80))
  return new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request({
      method: "GET",
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, host: url.host },
      signal,
      insecureHTTPParser: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      // No agent, because it would reuse connections and read the environment's proxies.
      createConnection: () => openConnection(url, { host, port, addresses }, connect),
    })
    sent.once("response", resolve)
    // Kept after the response: bytes after a complete body cause an error that must not crash the process.
    sent.on("error", reject)
    sent.end()
  })
}

function openConnection({ protocol }: URL, target: SocketTarget, connect: Network["connect"]): Socket {
  const socket = connect(target)
  if (protocol === "http:") return socket
  const { host } = target
  const connection = secure({
    socket,
    host,
    ALPNProtocols: ["http/1.1"],
    rejectUnauthorized: true,
    // TLS does not allow an IP address as server name.
    ...(isIP(host) === 0 ? { servername: host } : {}),
  })
  socket.once("error", (error) => connection.destroy(error))
  return connection
}
