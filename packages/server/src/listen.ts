import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http"
import type { AddressInfo } from "node:net"
import type { Duplex } from "node:stream"
import { getRequestListener } from "@hono/node-server"
import {
  corsAnswer,
  hostRefusal,
  listenOn,
  type ListenTarget,
  type Refusal,
  type RequestHead,
  requestHead,
  tokenRefusal,
} from "@pawl/loopback-http"
import { WebSocketServer } from "ws"
import type { Server } from "./server.ts"
import { terminalLimits } from "./terminals/limits.ts"

export interface ListenOptions {
  /** A port of 127.0.0.1, or a unix socket. Requests over a socket need no token: only its user can connect. */
  readonly target: ListenTarget
  readonly token: string
  /** Origins of web pages that are served. Default: none */
  readonly origins?: readonly string[]
  /** Stops the server. */
  readonly signal: AbortSignal
  /** Called with the address when clients can connect. */
  readonly onListening: (address: string) => void
}

/** Time limits for a request's headers and for the whole request. The response has no limit. */
const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 60_000
/**
 * A client may send its next request at the moment when an idle connection is closed, and then gets an error. With Node's 5
 * seconds that happens when many sessions keep the server busy.
 */
const KEEP_ALIVE_TIMEOUT_MS = 65_000
const MAX_CONNECTIONS = 4096

/**
 * Serves until the signal aborts: to programs of this user that send the token as Bearer, or as the password of Basic.
 * Rejects if the port or the socket is in use.
 */
export async function listen(server: Omit<Server, "open">, options: ListenOptions): Promise<void> {
  const { target, token, origins = [], signal, onListening } = options
  if (signal.aborted) return
  const isSocket = "socket" in target
  const answer = getRequestListener((request, env) => server.fetch(request, env), {
    hostname: "127.0.0.1",
    overrideGlobalObjects: false,
  })
  const timeouts = {
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    // By default, Node looks every 30 seconds.
    connectionsCheckingInterval: 1000,
    // Clients that offer HTTP/2 are answered as if they did not.
    shouldUpgradeCallback: isWebSocket,
  }
  const refusalByHost = (head: RequestHead, { port }: { readonly port: number }) => {
    return isSocket ? undefined : hostRefusal(head, { port, origins })
  }
  const refusalByToken = (head: RequestHead) => {
    return isSocket ? undefined : tokenRefusal(head, { token, schemes: ["Bearer", "Basic"] })
  }
  const listener = createServer(timeouts, (request, response) => {
    const head = requestHead(request)
    const address = isSocket ? { port: 0 } : (listener.address() as AddressInfo | null)
    // An open connection may send a request after the end of the server.
    if (!address) return void response.destroy()
    const refusal = refusalByHost(head, address)
    if (refusal) return refuse(response, refusal)
    const cors = corsAnswer(head, origins)
    for (const [name, value] of Object.entries(cors?.headers ?? {})) response.setHeader(name, value)
    if (cors?.isPreflight) return void response.writeHead(204).end()
    const unauthorized = refusalByToken(head)
    if (unauthorized) return refuse(response, unauthorized)
    if (!head.target?.startsWith("/")) return refuse(response, { status: 400, reason: "Send a path, not an address." })
    void passOn(request, response)
  })
  listener.maxConnections = MAX_CONNECTIONS
  const sockets = new WebSocketServer({
    ...{ noServer: true, maxPayload: terminalLimits.message, perMessageDeflate: false },
  })
  listener.on("upgrade", (request: IncomingMessage, socket: Duplex, start: Buffer) => {
    // An error is followed by the end of the connection.
    socket.on("error", () => socket.destroy())
    const head = requestHead(request)
    const address = isSocket ? { port: 0 } : (listener.address() as AddressInfo | null)
    if (!address) return void socket.destroy()
    const refusal = refusalByHost(head, address)
    if (refusal) return refuseSocket(socket, refusal.status, refusalBody(refusal))
    void passOnSocket({ request, socket, start }, !refusalByToken(head))
  })

  /** The server decides: a browser cannot send the token with the request for a socket, and may have a ticket. */
  async function passOnSocket({ request, socket, start }: UpgradeRequest, isAuthorized: boolean) {
    try {
      const url = new URL(`http://localhost${request.url ?? "/"}`)
      const answer = await server.upgrade(new Request(url), { isAuthorized })
      if (answer instanceof Response) return refuseSocket(socket, answer.status, await answer.text())
      sockets.handleUpgrade(request, socket, start, answer)
    } catch {
      socket.destroy()
    }
  }

  async function passOn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await answer(request, response)
    } catch {
      response.destroy()
    }
  }

  await listenOn(listener, target)
  try {
    onListening(isSocket ? target.socket : `http://127.0.0.1:${(listener.address() as AddressInfo).port}`)
    if (!signal.aborted) await once(signal, "abort")
  } finally {
    listener.close()
    await server.close()
    for (const socket of sockets.clients) socket.terminate()
    listener.closeAllConnections()
  }
}

interface UpgradeRequest {
  readonly request: IncomingMessage
  readonly socket: Duplex
  /** Bytes that were sent after the head. */
  readonly start: Buffer
}

function isWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === "websocket"
}

const ANSWER_HEADERS = { "content-type": "application/json", "cache-control": "no-store", connection: "close" }

/** Answers in OpenCode's form and closes the connection, because a body may still be arriving. */
function refuse(response: ServerResponse, refusal: Refusal): void {
  response.writeHead(refusal.status, { ...ANSWER_HEADERS, ...refusal.headers }).end(refusalBody(refusal))
}

function refuseSocket(socket: Duplex, status: number, body: string): void {
  const headers = Object.entries({ ...ANSWER_HEADERS, "content-length": Buffer.byteLength(body) })
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("")
  // A client that does not close its side would keep the connection otherwise.
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines}\r\n${body}`, () => socket.destroy())
}

function refusalBody({ status, reason }: Refusal): string {
  return JSON.stringify({ name: status === 401 ? "Unauthorized" : "Forbidden", data: { message: reason } })
}
