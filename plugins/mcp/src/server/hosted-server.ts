import type { JudgedTools } from "../approval/judge-tools.ts"
import type { ServerConfig } from "../config/server-config.ts"
import type { ListedResource, ListedTemplate, Listing } from "../listing/listing.ts"
import type { ErrorLog } from "../process/error-log.ts"
import type { CallContext } from "../requests/call-context.ts"
import type { Connection } from "./connection.ts"
import type { Server } from "./server.ts"
import type { ServerStatus } from "./status.ts"

/** A configured server with what people allowed of it. */
export interface HostedServer {
  readonly name: string
  readonly config: ServerConfig
  /** Two that are the same in this are the same server: configuration, place, and who vouches for it. */
  readonly identity: string
  readonly log: ErrorLog
  readonly server: Server
  status(): Promise<ServerStatus>
  /** What is known of it; undefined where it was never asked, or may not be started. */
  listing(): Promise<Listing | undefined>
  /** None where it may not be started. */
  tools(): Promise<JudgedTools>
  connect(signal?: AbortSignal): Promise<Connection>
  callTool(tool: string, args: object, context: CallContext): Promise<Readonly<Record<string, unknown>>>
  resources(signal: AbortSignal): Promise<readonly ListedResource[]>
  templates(signal: AbortSignal): Promise<readonly ListedTemplate[]>
  /** Allows it as it is, with the tools it has now: connects to see them. */
  allow(signal?: AbortSignal): Promise<readonly string[]>
  /** For good: whoever was offered a tool of it cannot start it again. */
  close(): Promise<void>
}
