import { randomUUID } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { isIP } from "node:net"
import { UnavailableError } from "../unavailable.ts"
import { listenNow } from "./listen-now.ts"
import { type Answer, answerRoute, findRoute, type Handler, type RoutedRequest, type Routes } from "./routes.ts"
import { sendResponse, toRequest } from "./web-http.ts"

export interface ServeOptions {
  /** Default: the variable BUN_PORT, PORT or NODE_PORT, else 3000. 0 chooses a free port. */
  readonly port?: number | string
  /** An IP address or `localhost`. Default: `localhost`, which only this machine can reach. */
  readonly hostname?: string
  readonly routes?: Routes<BunServer>
  readonly fetch?: Handler<BunServer>
  readonly error?: (error: Error) => Answer | Promise<Answer>
  readonly development?: unknown
}

export interface BunServer extends Disposable {
  readonly port: number
  readonly hostname: string
  readonly url: URL
  readonly id: string
  readonly development: boolean
  readonly pendingRequests: number
  readonly pendingWebSockets: number
  /** Returns the server's response without using the network. */
  fetch(request: Request | string | URL): Promise<Response>
  requestIP(request: Request): { readonly address: string; readonly port: number; readonly family: string } | null
  reload(options: ServeOptions): BunServer
  /** `true` aborts responses in progress. Resolves when all connections are closed. */
  stop(closesActive?: boolean): Promise<void>
  timeout(request: Request, seconds: number): void
  upgrade(): boolean
  ref(): BunServer
  unref(): BunServer
}

const UNSUPPORTED = ["websocket", "tls", "unix", "static"] as const

/**
 * Implements `Bun.serve` with Node's HTTP server. The server listens when this function returns, and does not keep the
 * process alive.
 */
export function serve(initial: ServeOptions): BunServer {
  let options = checked(initial)
  const hostname = addressOf(initial.hostname)
  const requests = new WeakMap<Request, IncomingMessage>()
  let pending = 0

  async function answer(request: RoutedRequest): Promise<Response> {
    try {
      const route = findRoute(options.routes ?? {}, new URL(request.url).pathname)
      const routed = route && (await answerRoute(route, request, server))
      const response = routed ?? (await options.fetch?.(request, server))
      if (response instanceof Response) return response
      if (!options.fetch && response === undefined) return new Response("Not Found", { status: 404 })
      throw new TypeError("The handler of Bun.serve gave no Response.")
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(String(cause))
      const response = await Promise.resolve(options.error?.(error)).catch(() => undefined)
      return response ?? new Response("Something went wrong!", { status: 500 })
    }
  }

  async function handle(message: IncomingMessage, to: ServerResponse): Promise<void> {
    pending++
    const abort = new AbortController()
    to.on("close", () => abort.abort())
    try {
      const request = toRequest(message, server.url, abort.signal)
      requests.set(request, message)
      await sendResponse(await answer(request), to)
    } catch {
      // The client has gone: it cannot receive an error.
      to.destroy()
    } finally {
      pending--
    }
  }

  const listener = createServer((message, to) => void handle(message, to))
  const { port } = listenNow(listener, hostname, portOf(initial.port))
  listener.unref()
  const url = new URL(
    `http://${initial.hostname === undefined ? "localhost" : isIP(hostname) === 6 ? `[${hostname}]` : hostname}:${port}/`,
  )
  const server: BunServer = {
    ...{ port, url, id: randomUUID(), pendingWebSockets: 0 },
    hostname: initial.hostname ?? "localhost",
    development: initial.development !== undefined && initial.development !== false,
    get pendingRequests() {
      return pending
    },
    fetch: (request) => answer(request instanceof Request ? request : new Request(new URL(request, url))),
    requestIP(request) {
      const { remoteAddress, remotePort = 0, remoteFamily = "IPv4" } = requests.get(request)?.socket ?? {}
      return remoteAddress === undefined ? null : { address: remoteAddress, port: remotePort, family: remoteFamily }
    },
    reload(next) {
      options = checked(next)
      return server
    },
    stop(closesActive = false) {
      const { promise, resolve } = Promise.withResolvers<void>()
      listener.close(() => resolve())
      if (closesActive) listener.closeAllConnections()
      return promise
    },
    timeout: () => undefined,
    upgrade() {
      throw new UnavailableError("upgrade of Bun.serve, for WebSockets,")
    },
    ref() {
      listener.ref()
      return server
    },
    unref() {
      listener.unref()
      return server
    },
    [Symbol.dispose]: () => void server.stop(true),
  }
  return server
}

function checked(options: ServeOptions): ServeOptions {
  const unsupported = UNSUPPORTED.find((name) => Object.hasOwn(options, name))
  if (unsupported !== undefined) throw new UnavailableError(`${unsupported} of Bun.serve`)
  if (options.fetch || options.routes) return options
  throw new TypeError("Bun.serve needs a `fetch` function, or `routes`.")
}

function addressOf(hostname = "localhost"): string {
  const address = hostname === "localhost" ? "127.0.0.1" : hostname
  if (isIP(address) !== 0) return address
  throw new UnavailableError(`Bun.serve at the hostname ${JSON.stringify(hostname)}, which is not an IP address,`)
}

function portOf(port: number | string | undefined): number {
  const { BUN_PORT, PORT, NODE_PORT } = process.env
  return Number(port ?? BUN_PORT ?? PORT ?? NODE_PORT ?? 3000)
}
