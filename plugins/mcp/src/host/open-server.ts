import { resolve } from "node:path"
import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js"
import type { Guardian } from "@pawl/process-guard"
import type { ServerConfig } from "../config/server-config.ts"
import type { ErrorLog } from "../process/error-log.ts"
import type { ActiveCalls } from "../requests/call-context.ts"
import type { Roots } from "../requests/roots.ts"
import type { OpenedConnection } from "../server/open-connection.ts"
import type { ServerEvents } from "../server/server.ts"
import type { McpOptions } from "./options.ts"

const CLIENT = { name: "pawl", version: "0.1.0" }

export interface OpenServerDeps {
  readonly options: McpOptions
  readonly guardian: Guardian
  readonly roots: Roots
  readonly environment: Readonly<Record<string, string>>
}

export interface Opening {
  readonly name: string
  readonly config: ServerConfig
  readonly calls: ActiveCalls
  readonly log: ErrorLog
}

export async function openServer(
  { options, guardian, environment, roots }: OpenServerDeps,
  { name, config, calls, log }: Opening,
  events: ServerEvents,
  signal: AbortSignal,
): Promise<OpenedConnection> {
  const { directory, elicit, authFor, clientInfo = CLIENT } = options
  const authorize = (fetch: FetchLike): FetchLike => {
    if (config.type !== "remote" || config.oauth === false || !authFor) return fetch
    return authFor({ name, url: config.url, oauth: config.oauth }, fetch)
  }
  const cwd = config.type === "local" && config.cwd !== undefined ? resolve(directory, config.cwd) : directory
  // The SDK takes a tenth of a second to load, so load it only when a server is needed.
  const { openConnection } = await import("../server/open-connection.ts")
  return openConnection(
    {
      ...events,
      name,
      config,
      cwd,
      calls,
      log,
      guardian,
      environment,
      roots,
      clientInfo,
      elicit,
      authorize,
    },
    signal,
  )
}
