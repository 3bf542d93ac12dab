import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import type { FetchLike, Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js"
import type { RemoteServer, ServerConfig } from "../config/server-config.ts"
import { McpServerError } from "../errors.ts"
import type { ErrorLog } from "../process/error-log.ts"
import { startServer, type StartDeps } from "../process/start-server.ts"
import type { ActiveCalls } from "../requests/call-context.ts"
import { answerElicitation, type Elicit } from "../requests/elicit.ts"
import { MAX_TIMER_MS } from "../requests/inactivity-timer.ts"
import type { Roots } from "../requests/roots.ts"
import { answerSampling } from "../requests/sample.ts"
import { connectFailure, isUnsupported } from "./connect-failure.ts"
import { type Connection, createConnection } from "./connection.ts"

export type ListName = "tools" | "prompts" | "resources"

export interface OpenDeps extends StartDeps {
  readonly name: string
  readonly config: ServerConfig
  /** Absolute working directory of a local server. */
  readonly cwd: string
  readonly clientInfo: { readonly name: string; readonly version: string }
  readonly roots: Roots
  readonly calls: ActiveCalls
  readonly log: ErrorLog
  readonly elicit: Elicit | undefined
  /** Returns a fetch that authorizes requests to a remote server. */
  readonly authorize: (fetch: FetchLike) => FetchLike
  onListChanged(list: ListName): void
  /** Called once, however the connection ended. */
  onClosed(reason: string): void
}

export interface OpenedConnection {
  readonly connection: Connection
  /** Process id of a local server. */
  readonly pid: number | undefined
  readonly transport: "stdio" | "http" | "sse"
}

/** Connects within the connect timeout. Rejects with McpServerError or the signal's reason. */
export async function openConnection(deps: OpenDeps, signal: AbortSignal): Promise<OpenedConnection> {
  const { config } = deps
  if (config.type === "local") return openLocal(deps, config, signal)
  if (config.transport === "sse") return openRemote(deps, config, "sse", signal)
  try {
    return await openRemote(deps, config, "http", signal)
  } catch (error) {
    if (config.transport === "http" || !isUnsupported(error)) throw error
    return openRemote(deps, config, "sse", signal)
  }
}

async function openLocal(
  deps: OpenDeps,
  config: ServerConfig & { readonly type: "local" },
  signal: AbortSignal,
): Promise<OpenedConnection> {
  const [{ createStdioTransport }, process] = await Promise.all([
    import("../transport/stdio-transport.ts"),
    startServer(deps, deps.name, config, deps.cwd),
  ])
  const ended: Ended = {}
  void process.ended.then((words) => (ended.reason = words))
  const connection = await connect(deps, createStdioTransport(process, deps.log), ended, signal)
  return { connection, pid: process.pid, transport: "stdio" }
}

async function openRemote(
  deps: OpenDeps,
  config: RemoteServer,
  transport: "http" | "sse",
  signal: AbortSignal,
): Promise<OpenedConnection> {
  const { createHTTPTransport, createSSETransport } = await import("../transport/http-transport.ts")
  const ended: Ended = {}
  let opened: Connection | undefined
  const remote = {
    authorize: deps.authorize,
    onLost(reason: string) {
      ended.reason = reason
      void opened?.close()
    },
  }
  const create = transport === "http" ? createHTTPTransport : createSSETransport
  opened = await connect(deps, create(config, remote), ended, signal)
  return { connection: opened, pid: undefined, transport }
}

/** `reason` is missing if the connection was closed from here. */
interface Ended {
  reason?: string
}

async function connect(
  deps: OpenDeps,
  transport: Transport,
  ended: Readonly<Ended>,
  signal: AbortSignal,
): Promise<Connection> {
  const { name, config, log } = deps
  const client = createClient(deps)
  const { connect: deadline } = config.timeouts
  const late = AbortSignal.timeout(deadline === 0 ? MAX_TIMER_MS : Math.min(deadline, MAX_TIMER_MS))
  const either = AbortSignal.any([signal, late])
  const { promise: stopped, reject: stop } = Promise.withResolvers<never>()
  const onAbort = () => stop(either.reason as Error)
  either.addEventListener("abort", onAbort, { once: true })
  let protocol: string | undefined
  const useProtocol = transport.setProtocolVersion?.bind(transport)
  transport.setProtocolVersion = (version) => {
    protocol = version
    useProtocol?.(version)
  }
  let isOpen = false
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has no other way to listen
  client.onclose = () => {
    if (isOpen) deps.onClosed(ended.reason ?? "it was closed")
  }
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has no other way to listen
  client.onerror = (error) => log.write(`[${error.message}]\n`)
  try {
    either.throwIfAborted()
    await Promise.race([client.connect(transport, { timeout: MAX_TIMER_MS }), stopped])
    isOpen = true
    return createConnection(name, client, transport, config.timeouts, protocol)
  } catch (error) {
    const { reason } = ended
    await transport.close().catch(() => undefined)
    signal.throwIfAborted()
    if (late.aborted) {
      const text = `The MCP server "${name}" did not answer within ${deadline / 1000} s. More time: mcp.${name}.timeouts.connect.`
      throw new McpServerError("connect-failed", name, text)
    }
    throw connectFailure(name, error, config.type === "local" && reason ? `: it ${reason}` : "")
  } finally {
    either.removeEventListener("abort", onAbort)
  }
}

function createClient({ name, clientInfo, roots, calls, elicit, log, ...deps }: OpenDeps): Client {
  const client = new Client(clientInfo, {
    capabilities: {
      roots: { listChanged: true },
      sampling: {},
      elicitation: { form: { applyDefaults: true } },
    },
  })
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [...roots.list()] }))
  client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => answerSampling(name, calls, params))
  client.setRequestHandler(ElicitRequestSchema, async ({ params }, { signal }) => {
    const schema = "requestedSchema" in params ? params.requestedSchema : undefined
    return answerElicitation(calls, elicit, {
      server: name,
      message: params.message,
      schema,
      signal,
    })
  })
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
    const text = typeof params.data === "string" ? params.data : JSON.stringify(params.data)
    log.write(`[${params.level}${params.logger ? ` ${params.logger}` : ""}] ${text}\n`)
  })
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => deps.onListChanged("tools"))
  client.setNotificationHandler(PromptListChangedNotificationSchema, () => deps.onListChanged("prompts"))
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => deps.onListChanged("resources"))
  return client
}
