import type { ClientRequest, RequestOptions } from "node:http"
import type { Socket } from "node:net"
import { MAX_TIMER_MS } from "./max-timer.ts"
import { type AheadRequest, createRequestsAhead } from "./requests-ahead.ts"

/** Opens requests over kept connections. */
export interface Transport {
  open(url: URL, options: Pick<AheadRequest, "method" | "headers">): ClientRequest
  /**
   * Opens the next POST to the server of this URL in advance, unless a connection is kept or a proxy is set. Does not
   * throw.
   */
  openAhead(url: URL): void
  /** Closes idle connections, so that the next request opens a new one. */
  closeIdle(): void
}

export interface TransportOptions {
  /** Its `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` are used if Node supports them. Default: no proxy. */
  readonly environment?: Environment | undefined
  /** Certificates to trust besides Node's own, as the text of a PEM file. */
  readonly ca?: string | readonly string[] | undefined
  /** Milliseconds to establish a connection, including TLS; 0 for no limit. Default: 30 s. */
  readonly connectTimeout?: number | undefined
  /** Milliseconds that a connection opened in advance waits for its request. Default: 3 s. */
  readonly aheadTimeout?: number | undefined
}

/** Variables by name, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>

export function createTransport(options: TransportOptions): Transport {
  const { environment = {}, ca, connectTimeout = 30_000, aheadTimeout } = options
  const load = (secure: boolean) => {
    // An import would evaluate every export of the module, and one of them loads the global fetch.
    const { Agent, request } = process.getBuiltinModule(secure ? "node:https" : "node:http")
    // Newer than the types.
    const trusted = secure && ca !== undefined ? { ca: withNodesOwn(ca) } : {}
    const agent = new Agent({ keepAlive: true, proxyEnv: withSchemes(environment), ...trusted })
    return { agent, request: (url: URL, options: RequestOptions) => request(url, { ...options, agent }) }
  }
  let plain: ReturnType<typeof load> | undefined
  let secure: ReturnType<typeof load> | undefined
  const ahead = createRequestsAhead(aheadTimeout)

  function idle(): Socket[] {
    const kept = [plain, secure].flatMap((used) => Object.values(used?.agent.freeSockets ?? {}))
    return kept.flatMap((sockets) => sockets ?? [])
  }

  function open(url: URL, options: RequestOptions): ClientRequest {
    const { request } = url.protocol === "https:" ? (secure ??= load(true)) : (plain ??= load(false))
    const opened = request(url, options)
    if (connectTimeout > 0) limitConnecting(opened, connectTimeout)
    return opened
  }

  return {
    open(url, options) {
      const asked = { ...options, path: `${url.pathname}${url.search}` }
      const taken = options.method === AHEAD ? ahead.take(serverOf(url), asked) : undefined
      return taken ?? open(url, options)
    },
    openAhead(url) {
      if (!/^https?:$/.test(url.protocol) || hasProxy(environment) || idle().length > 0) return
      ahead.add(serverOf(url), () => open(url, { method: AHEAD }))
    },
    closeIdle() {
      for (const socket of idle()) socket.destroy()
      ahead.discard()
    },
  }
}

const AHEAD = "POST"

/** Includes user name and password of the URL. */
function serverOf(url: URL): string {
  return new URL("/", url).href
}

function hasProxy(environment: Environment): boolean {
  return Object.entries(environment).some(([name, value]) => /^https?_proxy$/i.test(name) && Boolean(value))
}

// Node ignores a proxy without a scheme; other programs assume HTTP.
function withSchemes(environment: Environment): Record<string, string | undefined> {
  const entries = Object.entries(environment).map(([name, value]): [string, string | undefined] => {
    const isBare = /^https?_proxy$/i.test(name) && value !== undefined && /^[^\s/]+:\d+\/?$/.test(value)
    return [name, isBare ? `http://${value}` : value]
  })
  return Object.fromEntries(entries)
}

// Certificates of an agent replace Node's, including those of NODE_EXTRA_CA_CERTS.
function withNodesOwn(ca: string | readonly string[]): string[] {
  return [...process.getBuiltinModule("node:tls").getCACertificates("default"), ...(typeof ca === "string" ? [ca] : ca)]
}

function limitConnecting(request: ClientRequest, timeout: number): void {
  const giveUp = () => {
    request.destroy(Object.assign(new Error(`no connection within ${timeout / 1000} s`), { code: "ETIMEDOUT" }))
  }
  // A waiting request keeps the process alive by itself.
  const timer = setTimeout(giveUp, Math.min(timeout, MAX_TIMER_MS)).unref()
  const stop = () => clearTimeout(timer)
  request.once("close", stop)
  request.once("socket", (socket: Socket & { readonly secureConnecting?: boolean }) => {
    // A kept connection is already established.
    if (!socket.connecting && !socket.secureConnecting) return stop()
    socket.once(socket.secureConnecting === undefined ? "connect" : "secureConnect", stop)
  })
}
