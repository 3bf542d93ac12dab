import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { createServer, type IncomingMessage, type Server as HTTPServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as delay } from "node:timers/promises"
import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js"
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js"
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js"

/** A server of the protocol on loopback, for tests. */
export interface HTTPScene extends AsyncDisposable {
  readonly url: string
  readonly port: number
  /** `GET /mcp`, one for each request. */
  readonly requests: readonly string[]
  /** Names of tools, one for each call. */
  readonly calls: readonly string[]
  /** Headers of the newest request. */
  headers(): IncomingMessage["headers"]
  /** Ends all sessions and connections; with `again` it listens on the same port with nothing left of before. */
  stop(): Promise<void>
  again(): Promise<void>
  /** Forgets its sessions. */
  forget(): void
  /** From now on only those who send this token are let in. */
  guard(token: string): void
  growTools(): Promise<void>
}

export interface HTTPOptions {
  /** Knows Streamable HTTP, or the older way alone. */
  readonly kind?: "http" | "sse"
  readonly json?: boolean
}

export async function createHTTPServer({ kind = "http", json = false }: HTTPOptions = {}): Promise<HTTPScene> {
  const sessions = new Map<string, StreamableHTTPServerTransport | SSEServerTransport>()
  const servers = new Set<Server>()
  const requests: string[] = []
  const calls: string[] = []
  let headers: IncomingMessage["headers"] = {}
  let token: string | undefined
  const tools = ["echo", "hang", "drop"]

  function protocol(): Server {
    const server = new Server({ name: "http", version: "1" }, { capabilities: { tools: { listChanged: true } } })
    servers.add(server)
    server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: tools.map((name) => ({ name, inputSchema: { type: "object" as const } })),
    }))
    server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
      calls.push(params.name)
      if (params.name === "hang") await delay(60_000, undefined, { signal }).catch(() => undefined)
      if (params.name === "drop") {
        setTimeout(() => listener.closeAllConnections(), 50)
        await delay(60_000, undefined, { signal }).catch(() => undefined)
      }
      return { content: [{ type: "text", text: `${params.name}: ${JSON.stringify(params.arguments)}` }] }
    })
    return server
  }

  async function streamable(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const id = request.headers["mcp-session-id"]
    const known = typeof id === "string" ? sessions.get(id) : undefined
    if (known instanceof StreamableHTTPServerTransport) return known.handleRequest(request, response)
    if (id !== undefined) return void response.writeHead(404).end("Session not found")
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      enableJsonResponse: json,
      onsessioninitialized: (session) => void sessions.set(session, transport),
    })
    await protocol().connect(transport)
    await transport.handleRequest(request, response)
  }

  async function events(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://localhost")
    if (request.method === "GET") {
      const transport = new SSEServerTransport("/mcp", response)
      sessions.set(transport.sessionId, transport)
      await protocol().connect(transport)
      return
    }
    const known = sessions.get(url.searchParams.get("sessionId") ?? "")
    if (known instanceof SSEServerTransport) return known.handlePostMessage(request, response)
    response.writeHead(404).end()
  }

  let listener = listen()
  function listen(): HTTPServer {
    return createServer((request, response) => {
      requests.push(`${request.method} ${request.url}`)
      headers = request.headers
      if (token !== undefined && headers.authorization !== `Bearer ${token}`) return void response.writeHead(401).end()
      const handle = kind === "http" ? streamable : events
      handle(request, response).catch(() => response.destroy())
    })
  }
  listener.listen(0, "127.0.0.1")
  await once(listener, "listening")
  const { port } = listener.address() as AddressInfo

  function forget(): void {
    sessions.clear()
    servers.clear()
  }

  async function stop(): Promise<void> {
    forget()
    const closed = once(listener, "close")
    listener.close()
    listener.closeAllConnections()
    await closed
  }

  return {
    ...{ url: `http://127.0.0.1:${port}/mcp`, port, requests, calls, stop, forget },
    headers: () => headers,
    async again() {
      listener = listen()
      listener.listen(port, "127.0.0.1")
      await once(listener, "listening")
    },
    guard(given) {
      token = given
    },
    async growTools() {
      tools.push("grown")
      await Promise.all([...servers].map((server) => server.sendToolListChanged()))
    },
    async [Symbol.asyncDispose]() {
      if (listener.listening) await stop()
    },
  }
}
