import type { PluginEntry } from "@pawl/core/plugin"
import { UsageError } from "@pawl/config/usage-error"
import type { RuntimeHost } from "../host.ts"
import { plainLine } from "@pawl/plain-text"
import type { Settings } from "../config/settings.ts"
import { configuredServers, hasServers } from "./configured-servers.ts"
import { openMcp, type OpenedMcp, serverEntries } from "./open-mcp.ts"

/** The MCP servers of one engine, as one of its plugins. */
export interface McpServers {
  /** None before `serve` has met a server. */
  readonly entries: readonly PluginEntry[]
  /** Puts the servers of these settings in place; those that stay the same go on running. Gives what is wrong. */
  serve(settings: Settings): Promise<readonly string[]>
  /** Connects the server of a prompt, `/server:prompt`, so that its prompts are known. False if there is no such server. */
  connectServerOf(command: string, signal?: AbortSignal): Promise<boolean>
}

/** The plugin that the servers are. */
export const MCP = "mcp"

export function createMcpServers(host: Pick<RuntimeHost, "environment" | "guard" | "secrets">): McpServers {
  let opened: OpenedMcp | undefined
  let entries: readonly PluginEntry[] = []
  return {
    get entries() {
      return entries
    },
    async serve(settings) {
      if (!opened && !hasServers(settings)) return []
      const { servers, problems } = await configuredServers(settings, host)
      if (opened) return [...problems, ...(await opened.control.update(serverEntries(servers)))].map(plainLine)
      opened = await openMcp(servers, settings, host)
      entries = [{ id: MCP, plugin: pluginOf(opened) }]
      return problems.map(plainLine)
    },
    async connectServerOf(command, signal) {
      const reports = (await opened?.control.status()) ?? []
      const server = reports.find(({ name }) => command.startsWith(`${name}:`))
      if (!server) return false
      await opened?.control.connect(server.name, signal).catch((error: Error) => {
        throw new UsageError(plainLine(error.message))
      })
      return true
    },
  }
}

/** Renewals of tokens end with the servers that they are for. */
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
