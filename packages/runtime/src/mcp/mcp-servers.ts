import type { PluginEntry } from "@pawl/core/plugin"
import type { AuthorizableServer } from "@pawl/plugin-mcp"
import { UsageError } from "@pawl/config/usage-error"
import type { RuntimeHost } from "../host.ts"
import { plainLine } from "@pawl/plain-text"
import type { Settings } from "../config/settings.ts"
import { type ConfiguredServer, configuredServers, hasServers } from "./configured-servers.ts"
import { openMcp, type OpenedMcp, serverEntries } from "./open-mcp.ts"

/** The MCP servers of one engine. Together they are one plugin. */
export interface McpServers {
  /** Empty until `serve` has found a server. */
  readonly entries: readonly PluginEntry[]
  /** Replaces the servers with those of the settings. Unchanged servers keep running. Returns the problems. */
  serve(settings: Settings): Promise<readonly string[]>
  /** Connects the server of a prompt, `/server:prompt`, so that its prompts are known. False if there is no such server. */
  connectServerOf(command: string, signal?: AbortSignal): Promise<boolean>
  reports(): Promise<readonly ServerReport[]>
  /** Undefined until `serve` has found a server. */
  readonly opened: OpenedMcp | undefined
  /** Returns a remote server for signing in; undefined for a local or unknown one. */
  remote(name: string, settings: Settings): Promise<AuthorizableServer | undefined>
  /** Serves another server besides those of all settings. It replaces an added one of the same name. */
  add(server: ConfiguredServer, settings: Settings): Promise<readonly string[]>
}

export type ServerReport = Awaited<ReturnType<OpenedMcp["control"]["status"]>>[number]

/** Id of the servers' plugin. */
export const MCP = "mcp"

export function createMcpServers(host: Pick<RuntimeHost, "environment" | "guard" | "secrets">): McpServers {
  let opened: OpenedMcp | undefined
  let entries: readonly PluginEntry[] = []
  const added = new Map<string, ConfiguredServer>()
  const self: McpServers = {
    get entries() {
      return entries
    },
    get opened() {
      return opened
    },
    async serve(settings) {
      if (!opened && !hasServers(settings) && added.size === 0) return []
      const { servers: configured, problems } = await configuredServers(settings, host)
      const servers = [...configured, ...added.values()]
      if (opened) return [...problems, ...(await opened.control.update(serverEntries(servers)))].map(plainLine)
      opened = await openMcp(servers, settings, host)
      entries = [{ id: MCP, plugin: pluginOf(opened) }]
      return problems.map(plainLine)
    },
    async remote(name, settings) {
      const { servers } = await configuredServers(settings, host)
      const config = [...servers, ...added.values()].findLast((each) => each.name === name)?.entry.config
      const { type, url, oauth } = (config ?? {}) as {
        type?: string
        url?: string
        oauth?: AuthorizableServer["oauth"]
      }
      return type === "remote" && url !== undefined ? { name, url, oauth } : undefined
    },
    add(server, settings) {
      added.set(server.name, server)
      return self.serve(settings)
    },
    async connectServerOf(command, signal) {
      const reports = await self.reports()
      const server = reports.find(({ name }) => command.startsWith(`${name}:`))
      if (!server) return false
      await opened?.control.connect(server.name, signal).catch((error: Error) => {
        throw new UsageError(plainLine(error.message))
      })
      return true
    },
    reports: async () => (await opened?.control.status()) ?? [],
  }
  return self
}

/** The renewal of tokens ends with the servers. */
function pluginOf({ plugin, authorizer }: OpenedMcp): PluginEntry["plugin"] {
  return async (input) => {
    const hooks = await plugin(input)
    return {
      ...hooks,
      async dispose() {
        await hooks.dispose?.({}, {})
        await authorizer.close()
      },
    }
  }
}
