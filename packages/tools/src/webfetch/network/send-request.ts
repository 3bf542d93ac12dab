import { type IncomingMessage, type OutgoingHttpHeaders, request } from "node:http"
import { isIP, type Socket } from "node:net"
import { connect as secure } from "node:tls"
import type { Network, SocketTarget } from "./network.ts"

export interface RequestOptions {
  /** What the URL's host was judged to be. */
  readonly host: string
  readonly addresses: readonly string[]
  readonly headers: OutgoingHttpHeaders
  readonly signal: AbortSignal
}

const MAX_HEADER_BYTES = 16 * 1024

/** One GET over a connection of its own. Resolves with the head of the answer; `signal` also ends its body. */
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
      // Without an agent: an agent would keep connections, and read the environment's proxies.
      createConnection: () => openConnection(url, { host, port, addresses }, connect),
    })
    sent.once("response", resolve)
    // Stays for the time after the answer: bytes that follow a complete body are an error that nobody waits for.
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
    // An address has no place in the handshake.
    ...(isIP(host) === 0 ? { servername: host } : {}),
  })
  socket.once("error", (error) => connection.destroy(error))
  return connection
}
