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

/** What a command about servers works with. */
export interface ServerRoom {
  readonly settings: Settings
  readonly servers: readonly ConfiguredServer[]
  readonly stop: Stop
  /** Opened at its first call, with the options of that. */
  mcp(options?: Partial<McpOptions>): Promise<OpenedMcp>
}

export interface ServerPlace {
  readonly dir?: string | undefined
  /** Starts no plugins: servers that their `config` hooks bring are not there. */
  readonly offline?: boolean | undefined
}

/**
 * Does something with the configured servers, as plugins leave them, which run meanwhile. They have ended when it resolves,
 * also where it is broken off.
 */
export async function withServers(
  { dir, offline = false }: ServerPlace,
  host: Host,
  work: (room: ServerRoom) => Promise<ExitCode>,
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

/** Throws UsageError for a name that is not known, with those that are. */
export function findServer(
  { servers, settings }: Pick<ServerRoom, "servers" | "settings">,
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
