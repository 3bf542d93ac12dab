import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { getRequestListener } from "@hono/node-server"
import {
  corsAnswer,
  hostRefusal,
  listenOn,
  type ListenTarget,
  type Refusal,
  requestHead,
  tokenRefusal,
} from "@pawl/loopback-http"
import type { Server } from "./server.ts"

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
const MAX_CONNECTIONS = 4096

/**
 * Serves until the signal aborts: to programs of this user that send the token as Bearer, or as the password of Basic.
 * Rejects if the port or the socket is in use.
 */
export async function listen(server: Server, options: ListenOptions): Promise<void> {
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
    // By default, Node looks every 30 seconds.
    connectionsCheckingInterval: 1000,
  }
  const listener = createServer(timeouts, (request, response) => {
    const head = requestHead(request)
    const address = isSocket ? { port: 0 } : (listener.address() as AddressInfo | null)
    // An open connection may send a request after the end of the server.
    if (!address) return void response.destroy()
    const refusal = isSocket ? undefined : hostRefusal(head, { port: address.port, origins })
    if (refusal) return refuse(response, refusal)
    const cors = corsAnswer(head, origins)
    for (const [name, value] of Object.entries(cors?.headers ?? {})) response.setHeader(name, value)
    if (cors?.isPreflight) return void response.writeHead(204).end()
    const unauthorized = isSocket ? undefined : tokenRefusal(head, { token, schemes: ["Bearer", "Basic"] })
    if (unauthorized) return refuse(response, unauthorized)
    if (!head.target?.startsWith("/")) return refuse(response, { status: 400, reason: "Send a path, not an address." })
    void passOn(request, response)
  })
  listener.maxConnections = MAX_CONNECTIONS

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
    listener.closeAllConnections()
  }
}

/** Answers in OpenCode's form and closes the connection, because a body may still be arriving. */
function refuse(response: ServerResponse, { status, reason, headers = {} }: Refusal): void {
  const name = status === 401 ? "Unauthorized" : "Forbidden"
  const body = JSON.stringify({ name, data: { message: reason } })
  const fixed = { "content-type": "application/json", "cache-control": "no-store", connection: "close" }
  response.writeHead(status, { ...fixed, ...headers }).end(body)
}
