import type { Client } from "@modelcontextprotocol/sdk/client/index.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import type { Timeouts } from "../config/timeouts.ts"
import {
  type ListedPrompt,
  listedPrompt,
  type ListedResource,
  listedResource,
  type ListedTemplate,
  listedTemplate,
  type ListedTool,
  listedTool,
  readable,
} from "../listing/listing.ts"
import { readPages } from "../listing/read-pages.ts"
import { type Caller, createCaller, lateError, type RequestOptions } from "../requests/caller.ts"
import { createInactivityTimer } from "../requests/inactivity-timer.ts"

type Answer = Readonly<Record<string, unknown>>
type Options = Omit<RequestOptions, "deadline">

/** The result of initializing the connection. */
export interface Handshake {
  /** Protocol version: `2025-11-25`. */
  readonly protocol?: string
  /** Capabilities of the server: `tools`, `prompts`, … */
  readonly capabilities: readonly string[]
}

/** A connected server. Requests reject with McpServerError or with their signal's reason. */
export interface Connection {
  readonly instructions: string | undefined
  /** Name and version as the server reports them. */
  readonly serverName: string
  readonly handshake: Handshake
  readonly hasResources: boolean
  /** Empty if the server does not offer any. */
  listTools(signal?: AbortSignal): Promise<readonly ListedTool[]>
  listPrompts(signal?: AbortSignal): Promise<readonly ListedPrompt[]>
  listResources(signal?: AbortSignal): Promise<readonly ListedResource[]>
  listTemplates(signal?: AbortSignal): Promise<readonly ListedTemplate[]>
  callTool(tool: string, args: object, options: Options): Promise<Answer>
  getPrompt(name: string, args: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<Answer>
  readResource(uri: string, signal?: AbortSignal): Promise<Answer>
  tellRootsChanged(): void
  /** Ends a local server's process. Pending requests reject. */
  close(): Promise<void>
}

export function createConnection(
  server: string,
  client: Client,
  transport: Transport,
  { list, call }: Timeouts,
  protocol?: string,
): Connection {
  const request: Caller = createCaller(server, client)
  const capabilities = client.getServerCapabilities() ?? {}
  const { name = server, version = "" } = client.getServerVersion() ?? {}

  async function listAll(method: string, key: string, signal: AbortSignal | undefined): Promise<readonly unknown[]> {
    const params = (cursor: string | undefined) => (cursor === undefined ? {} : { cursor })
    // The limit covers all pages, because a server could send pages without end.
    const late = new AbortController()
    const timer = createInactivityTimer(list, () => late.abort(lateError(server, method, list)))
    const either = signal ? AbortSignal.any([signal, late.signal]) : late.signal
    try {
      return await readPages((cursor) => request(method, params(cursor), { deadline: 0, signal: either }), key)
    } finally {
      timer.end()
    }
  }

  return {
    instructions: client.getInstructions(),
    serverName: `${name} ${version}`.trim(),
    handshake: {
      capabilities: Object.keys(capabilities),
      ...(protocol === undefined ? {} : { protocol }),
    },
    hasResources: capabilities.resources !== undefined,
    async listTools(signal) {
      if (!capabilities.tools) return []
      const tools = readable(listedTool, await listAll("tools/list", "tools", signal))
      // A repeated cursor may list the first pages twice.
      return [...new Map(tools.toReversed().map((tool) => [tool.name, tool])).values()].toReversed()
    },
    async listPrompts(signal) {
      return capabilities.prompts ? readable(listedPrompt, await listAll("prompts/list", "prompts", signal)) : []
    },
    async listResources(signal) {
      if (!capabilities.resources) return []
      return readable(listedResource, await listAll("resources/list", "resources", signal))
    },
    async listTemplates(signal) {
      if (!capabilities.resources) return []
      return readable(listedTemplate, await listAll("resources/templates/list", "resourceTemplates", signal))
    },
    callTool: (tool, args, options) =>
      request("tools/call", { name: tool, arguments: args }, { deadline: call ?? 0, ...options }),
    getPrompt: (prompt, args, signal) =>
      request("prompts/get", { name: prompt, arguments: args }, { deadline: call ?? list, signal }),
    readResource: (uri, signal) => request("resources/read", { uri }, { deadline: call ?? list, signal }),
    tellRootsChanged() {
      void client.sendRootsListChanged().catch(() => undefined)
    },
    async close() {
      await client.close()
      // The SDK's client drops a lost transport without closing it, but its process may still run.
      await transport.close()
    },
  }
}
