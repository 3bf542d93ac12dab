import type { ListedTool } from "../listing/listing.ts"
import type { CallContext } from "../requests/call-context.ts"
import type { Handshake } from "../server/connection.ts"
import type { ServerStatus } from "../server/status.ts"
import type { ServerEntries } from "./options.ts"

export type ServerReport = ServerStatus & {
  readonly name: string
  readonly type: "local" | "remote"
  /** Number of offered tools. `waiting` has the names of tools that need approval. */
  readonly tools: number
  readonly waiting: readonly string[]
  /** Process id of a running local server. */
  readonly pid?: number
  readonly transport?: "stdio" | "http" | "sse"
}

export interface ToolReport {
  /** The name that models use. */
  readonly name: string
  readonly tool: ListedTool
}

export interface DebugReport {
  readonly status: ServerReport
  /** The name that the server reports, if it is connected. */
  readonly serverName?: string
  readonly handshake?: Handshake
  /** The newest standard error output and notes. */
  readonly log: string
  /** File with earlier output. */
  readonly logPath: string
}

/** Operations of the command line on servers. Unknown names reject with McpServerError. */
export interface McpControl {
  /** In the order of the configuration. */
  status(): Promise<readonly ServerReport[]>
  connect(name: string, signal?: AbortSignal): Promise<void>
  /** Resolves when the process is gone. The server is started again when it is needed. */
  disconnect(name: string): Promise<void>
  tools(name: string, signal?: AbortSignal): Promise<readonly ToolReport[]>
  /** Returns the server's response unchanged. `tool` is the server's name of the tool. */
  call(
    name: string,
    tool: string,
    args: object,
    context?: Partial<CallContext>,
  ): Promise<Readonly<Record<string, unknown>>>
  debug(name: string): Promise<DebugReport>
  /** Allows a server with its current tools. Connects to list them and returns their names. */
  allow(name: string, signal?: AbortSignal): Promise<readonly string[]>
  /** Replaces the configured servers. Unchanged ones keep running. Returns the problems. */
  update(servers: ServerEntries): Promise<readonly string[]>
  /** Problems of the configuration, a sentence each. */
  problems(): readonly string[]
  close(): Promise<void>
}
