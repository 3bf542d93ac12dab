import type { McpOptions } from "@pawl/plugin-mcp"
import type { Settings } from "./config/settings.ts"
import { processHost } from "./process-host.ts"
import { type ConfiguredServer, configuredServers } from "./mcp/configured-servers.ts"
import { openMcp, type OpenedMcp } from "./mcp/open-mcp.ts"
import { openPlugins, type PluginsOptions } from "./open-plugins.ts"

/** The configured MCP servers of a directory, including those of plugins. */
export interface OpenedServers extends AsyncDisposable {
  readonly settings: Settings
  readonly servers: readonly ConfiguredServer[]
  /** Notices for the user. One may appear twice. */
  readonly notices: readonly string[]
  /** Opens the client at the first call, with the options of that call. No server runs before it is connected. */
  mcp(options?: Partial<McpOptions>): Promise<OpenedMcp>
}

/** Opens the MCP servers of a directory apart from an engine. Disposing ends all of them. */
export async function openServers(options: PluginsOptions): Promise<OpenedServers> {
  const { host = processHost() } = options
  const plugins = await openPlugins({ ...options, host })
  try {
    const { settings } = plugins
    const { servers, problems } = await configuredServers(settings, host)
    let opened: Promise<OpenedMcp> | undefined
    return {
      settings,
      servers,
      notices: [...settings.trust.notices, ...plugins.notices, ...problems],
      mcp: (mcpOptions) => (opened ??= openMcp(servers, settings, host, mcpOptions)),
      async [Symbol.asyncDispose]() {
        await (await opened?.catch(() => undefined))?.close()
        await plugins[Symbol.asyncDispose]()
      },
    }
  } catch (error) {
    await plugins[Symbol.asyncDispose]()
    throw error
  }
}
