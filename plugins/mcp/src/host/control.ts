import type { ListedTool } from "../listing/listing.ts"
import type { CallContext } from "../requests/call-context.ts"
import type { Handshake } from "../server/connection.ts"
import type { ServerStatus } from "../server/status.ts"
import type { ServerEntries } from "./options.ts"

export type ServerReport = ServerStatus & {
  readonly name: string
  readonly type: "local" | "remote"
  /** Tools that are offered; and names of those that nobody has allowed. */
  readonly tools: number
  readonly waiting: readonly string[]
  /** Of a local server that runs. */
  readonly pid?: number
  readonly transport?: "stdio" | "http" | "sse"
}

export interface ToolReport {
  /** As models know it. */
  readonly name: string
  readonly tool: ListedTool
}

export interface DebugReport {
  readonly status: ServerReport
  /** As the server names itself, once it is connected. */
  readonly serverName?: string
  readonly handshake?: Handshake
  /** What it wrote to standard error, and what was noted of it: the newest. */
  readonly log: string
  /** The file with more of that. */
  readonly logPath: string
}

/** What a command line does with servers. Names that are not known reject with McpServerError. */
export interface McpControl {
  /** In the order of the configuration. */
  status(): Promise<readonly ServerReport[]>
  connect(name: string, signal?: AbortSignal): Promise<void>
  /** Its process is gone when this resolves. It is started again when it is needed. */
  disconnect(name: string): Promise<void>
  tools(name: string, signal?: AbortSignal): Promise<readonly ToolReport[]>
  /** The server's answer as it came. `tool` is the server's name of it. */
  call(
    name: string,
    tool: string,
    args: object,
    context?: Partial<CallContext>,
  ): Promise<Readonly<Record<string, unknown>>>
  debug(name: string): Promise<DebugReport>
  /** Allows a server as it is, with the tools it has now, which this connects for; resolves with their names. */
  allow(name: string, signal?: AbortSignal): Promise<readonly string[]>
  /** Puts others in place of the configured servers; those that stay the same go on running. Resolves with what is wrong. */
  update(servers: ServerEntries): Promise<readonly string[]>
  /** What is wrong with the configuration, a sentence each. */
  problems(): readonly string[]
  /** Ends all servers. */
  close(): Promise<void>
}
