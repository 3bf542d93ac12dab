import type { JudgedTools } from "../approval/judge-tools.ts"
import type { ServerConfig } from "../config/server-config.ts"
import type { ListedResource, ListedTemplate, Listing } from "../listing/listing.ts"
import type { ErrorLog } from "../process/error-log.ts"
import type { CallContext } from "../requests/call-context.ts"
import type { Connection } from "./connection.ts"
import type { Server } from "./server.ts"
import type { ServerStatus } from "./status.ts"

/** A configured server with its approvals. */
export interface HostedServer {
  readonly name: string
  readonly config: ServerConfig
  /** Two servers with the same identity have the same configuration, directory and scope. */
  readonly identity: string
  readonly log: ErrorLog
  readonly server: Server
  status(): Promise<ServerStatus>
  /** Known tools, prompts and resources; undefined if the server was never listed or is not allowed. */
  listing(): Promise<Listing | undefined>
  /** Empty if the server is not allowed. */
  tools(): Promise<JudgedTools>
  connect(signal?: AbortSignal): Promise<Connection>
  callTool(tool: string, args: object, context: CallContext): Promise<Readonly<Record<string, unknown>>>
  resources(signal: AbortSignal): Promise<readonly ListedResource[]>
  templates(signal: AbortSignal): Promise<readonly ListedTemplate[]>
  /** Allows the server with its current tools. Connects to list them. */
  allow(signal?: AbortSignal): Promise<readonly string[]>
  /** Closes it permanently. A run that still holds one of its tools cannot start it again. */
  close(): Promise<void>
}
