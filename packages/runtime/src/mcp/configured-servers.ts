import type { McpServerConfig } from "@pawl/config"
import { projectDirectories } from "@pawl/config"
import type { ServerEntry } from "@pawl/plugin-mcp"
import { join } from "node:path"
import type { RuntimeHost } from "../host.ts"
import { PLUGINS } from "../config/config-changes.ts"
import { rememberServerSecrets } from "../config/known-secrets.ts"
import type { Settings } from "../config/settings.ts"

/** An MCP server and the source of its definition. */
export interface ConfiguredServer {
  readonly name: string
  readonly entry: ServerEntry
  /** An absolute path, or the name of a source that is not a file. */
  readonly source: string
}

export interface ConfiguredServers {
  /** Servers of `.mcp.json` first, then in the order of the configuration. */
  readonly servers: readonly ConfiguredServer[]
  /** Problems for the user, with their files. */
  readonly problems: readonly string[]
}

type TypedServer = Extract<McpServerConfig, { type: unknown }>
type ServerSettings = Pick<Settings, "config" | "layers" | "directory" | "worktree" | "trust">

/** Returns true if there may be a server to use. */
export function hasServers(settings: ServerSettings): boolean {
  const isUsed = (server: McpServerConfig) => isTyped(server) && server.enabled !== false
  return Object.values(settings.config.mcp ?? {}).some(isUsed) || mcpFiles(settings).length > 0
}

/** Returns all servers, including disabled ones. Servers of a project are included only if it is trusted. */
export async function configuredServers(
  settings: ServerSettings,
  { environment, secrets }: Pick<RuntimeHost, "environment" | "secrets">,
): Promise<ConfiguredServers> {
  const { config, layers } = settings
  const { servers: imported, problems } = await importedServers(settings, environment)
  const configured = Object.entries(config.mcp ?? {}).flatMap(([name, server]): ConfiguredServer[] => {
    if (!isTyped(server)) return []
    const defining = layers.filter((layer) => isTyped(layer.config.mcp?.[name]))
    const author = defining.findLast(({ source }) => source !== PLUGINS) ?? defining.at(-1)
    // If a plugin has changed a project's server, the file's definition does not apply.
    const isAsWritten = author === defining.at(-1)
    const written = isAsWritten ? (author?.written ?? author?.config)?.mcp?.[name] : server
    const scope = author?.isProject ? "project" : "user"
    return [
      { name, source: author?.source ?? "configuration", entry: { config: server, scope, written: written ?? server } },
    ]
  })
  const names = new Set(configured.map(({ name }) => name))
  const others = imported
    .filter(({ name }) => !names.has(name))
    .map((server) => switched(server, config.mcp?.[server.name]))
  const servers = [...others, ...configured]
  for (const { entry } of servers) rememberServerSecrets(entry.config as McpServerConfig, secrets)
  return { servers, problems }
}

/** Returns the files of a trusted project from its root down. The nearest file takes precedence. */
function mcpFiles({ directory, worktree, trust: { isTrusted, content } }: ServerSettings) {
  if (!isTrusted) return []
  const directories = projectDirectories(directory, worktree)
  const files = content.files.map((file) => ({ source: join(content.root, file.path), text: file.text }))
  return directories.flatMap((folder) => files.filter(({ source }) => source === join(folder, ".mcp.json")))
}

async function importedServers(
  settings: ServerSettings,
  environment: RuntimeHost["environment"],
): Promise<ConfiguredServers> {
  const files = mcpFiles(settings)
  if (files.length === 0) return { servers: [], problems: [] }
  const { importMcpJson } = await import("@pawl/plugin-mcp")
  const byName = new Map<string, ConfiguredServer>()
  const problems: string[] = []
  for (const { source, text } of files) {
    const imported = importMcpJson(text, environment)
    for (const [name, { config, written }] of Object.entries(imported.servers)) {
      byName.set(name, { name, source, entry: { config, written, scope: "project" } })
    }
    problems.push(...imported.problems.map((problem) => `${source}: ${problem.replace(/^\.mcp\.json /, "It ")}`))
  }
  return { servers: [...byName.values()], problems }
}

function switched(server: ConfiguredServer, configured: McpServerConfig | undefined): ConfiguredServer {
  if (configured?.enabled === undefined) return server
  return {
    ...server,
    entry: { ...server.entry, config: { ...(server.entry.config as object), enabled: configured.enabled } },
  }
}

function isTyped(server: McpServerConfig | undefined): server is TypedServer {
  return server !== undefined && "type" in server
}
