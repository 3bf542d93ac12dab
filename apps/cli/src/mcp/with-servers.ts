import type { McpOptions } from "@pawl/plugin-mcp"
import { UsageError } from "../arguments/usage-error.ts"
import type { ExitCode } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { plainLine } from "../render/plain.ts"
import { listenForStop, type Stop, stopCode, type StopReason } from "../run/stop.ts"
import { workDirectory } from "@pawl/runtime/session/work-directory"
import { inspect } from "@pawl/runtime/plugins/inspect"
import { readDefinedSettings } from "@pawl/runtime/config/definitions"
import { readSettings, type Settings } from "@pawl/runtime/config/settings"
import { type ConfiguredServer, configuredServers } from "@pawl/runtime/mcp/configured-servers"
import { openMcp, type OpenedMcp } from "@pawl/runtime/mcp/open-mcp"

/** Input of commands about servers. */
export interface ServerContext {
  readonly settings: Settings
  readonly servers: readonly ConfiguredServer[]
  readonly stop: Stop
  /** Opens the servers on the first call, with the options of that call. */
  mcp(options?: Partial<McpOptions>): Promise<OpenedMcp>
}

export interface ServerScope {
  readonly dir?: string | undefined
  /** Starts no plugins, so servers from their `config` hooks are missing. */
  readonly offline?: boolean | undefined
}

/**
 * Calls `work` with the configured servers, including changes by plugins. The servers have ended when it resolves or
 * rejects.
 */
export async function withServers(
  { dir, offline = false }: ServerScope,
  host: Host,
  work: (room: ServerContext) => Promise<ExitCode>,
): Promise<ExitCode> {
  const stop = listenForStop(host, () => performance.now())
  let opened: Promise<OpenedMcp> | undefined
  try {
    const directory = await workDirectory(host, dir)
    const enter = async (settings: Settings, notices: readonly string[]) => {
      const { servers, problems } = await configuredServers(settings, host)
      for (const text of new Set([...settings.trust.notices, ...notices, ...problems].map(plainLine))) {
        host.stderr.write(`${host.secrets.mask(text)}\n`)
      }
      const mcp = (options?: Partial<McpOptions>) => (opened ??= openMcp(servers, settings, host, options))
      try {
        return await work({ settings, servers, stop, mcp })
      } finally {
        await (await opened?.catch(() => undefined))?.close()
      }
    }
    if (offline) return await enter(await readSettings(host, directory), [])
    const written = await readDefinedSettings(host, directory)
    return await inspect(written, host, ({ settings, notices }) => enter(settings, notices), {
      signal: stop.signal,
    })
  } catch (error) {
    if (stop.signal.aborted) return stopCode(stop.signal.reason as StopReason)
    throw error
  } finally {
    stop.dispose()
  }
}

/** Throws UsageError with the known names if the name is unknown. */
export function findServer(
  { servers, settings }: Pick<ServerContext, "servers" | "settings">,
  name = "",
): ConfiguredServer {
  const found = servers.find((server) => server.name === name)
  if (found) return found
  if (
    settings.trust.effects.some(({ file }) => file.kind === "mcp" || file.kind === "config") &&
    !settings.trust.isTrusted
  ) {
    const text = `There is no MCP server "${name}", unless it is this project's: the project is not trusted.`
    throw new UsageError(text, "To see what it supplies and allow it: pawl trust")
  }
  const known = servers.map((server) => server.name).join(", ")
  const text = known === "" ? "None is configured." : `Known: ${known}.`
  throw new UsageError(`There is no MCP server "${name}". ${text}`, "To write one: pawl mcp add <name> …")
}
