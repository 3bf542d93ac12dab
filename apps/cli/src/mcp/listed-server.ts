import { relative } from "node:path"
import type { McpServerConfig } from "@pawl/config"
import type { AuthorizableServer, Authorizer, ServerReport } from "@pawl/plugin-mcp"
import { UsageError } from "../arguments/usage-error.ts"
import type { ConfiguredServer } from "@pawl/runtime/mcp/configured-servers"
import type { ListedServer } from "./server-lines.ts"

type TypedServer = Extract<McpServerConfig, { type: unknown }>

/**
 * Returns the configuration with variables filled in. It was validated when it was read, unless it came from a
 * `.mcp.json`.
 */
export function configOf({ entry }: ConfiguredServer): TypedServer {
  return entry.config as TypedServer
}

/** Returns the command or address as written, so that no value of the environment is shown. */
export function targetOf({ entry }: ConfiguredServer): string {
  const { command, url } = (entry.written ?? entry.config) as {
    readonly command?: readonly string[]
    readonly url?: string
  }
  return url ?? (command ?? []).map((word) => (/^[\w./:@=,{}+-]+$/.test(word) ? word : JSON.stringify(word))).join(" ")
}

/** Returns the path relative to the directory if that is shorter. */
export function sourceOf({ source }: ConfiguredServer, directory: string): string {
  const near = source.startsWith("/") ? relative(directory, source) : source
  return near.length < source.length ? near : source
}

/** Throws UsageError for a server that needs no sign-in. */
export function authorizable(server: ConfiguredServer): AuthorizableServer {
  const config = configOf(server)
  if (config.type === "remote") return { name: server.name, url: config.url, oauth: config.oauth }
  throw new UsageError(`"${server.name}" is a local program and needs no sign-in.`)
}

export async function listedServer(
  server: ConfiguredServer,
  report: ServerReport,
  { authorizer, directory }: { readonly authorizer: Authorizer; readonly directory: string },
): Promise<ListedServer> {
  const config = configOf(server)
  const isOpen = config.type === "remote" && config.oauth !== false
  const state = isOpen ? await authorizer.state(authorizable(server)) : undefined
  return {
    ...{ report, target: targetOf(server), source: sourceOf(server, directory) },
    ...(state ? { isSignedIn: state.isAuthorized } : {}),
  }
}
