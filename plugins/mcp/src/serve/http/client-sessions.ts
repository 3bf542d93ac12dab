import { randomUUID } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js"
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js"
import { refuse } from "./refuse.ts"

/** Initialized clients, each with its own server. */
export interface ClientSessions {
  /** Handles an accepted request. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  close(): Promise<void>
}

interface Client {
  readonly server: McpServer
  readonly transport: StreamableHTTPServerTransport
  /** Number of responses that are not complete. */
  open: number
}

/**
 * Maximum number of clients. Most clients disconnect without notice, so the client that was idle longest is dropped
 * first.
 */
const MAX_CLIENTS = 64

export function createClientSessions(createServer: () => McpServer, most = MAX_CLIENTS): ClientSessions {
  /** By session id, the most recently active client last. */
  const clients = new Map<string, Client>()

  function makeRoom(): boolean {
    if (clients.size < most) return true
    const [id, idle] = [...clients].find(([, { open }]) => open === 0) ?? []
    if (id === undefined || !idle) return false
    clients.delete(id)
    void idle.server.close()
    return true
  }

  async function introduce(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!makeRoom()) return refuse(response, { status: 503, reason: "Too many clients are at work. Try again later." })
    const server = createServer()
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void clients.set(id, client),
    })
    const client: Client = { server, transport, open: 0 }
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has no other way to listen
    server.server.onclose = () => void (transport.sessionId !== undefined && clients.delete(transport.sessionId))
    await server.connect(transport)
    await pass(client, request, response)
    if (transport.sessionId === undefined) await server.close()
  }

  async function pass(client: Client, request: IncomingMessage, response: ServerResponse): Promise<void> {
    client.open++
    response.once("close", () => client.open--)
    await client.transport.handleRequest(request, response)
  }

  return {
    async handle(request, response) {
      const id = request.headers["mcp-session-id"]
      if (id === undefined) return introduce(request, response)
      const client = clients.get(String(id))
      // As the protocol requires, the client then initializes again.
      if (!client) return refuse(response, { status: 404, reason: "The session is not known here. Begin another one." })
      clients.delete(String(id))
      clients.set(String(id), client)
      await pass(client, request, response)
    },
    async close() {
      await Promise.all([...clients.values()].map(({ server }) => server.close()))
      clients.clear()
    },
  }
}
