import type { Engine } from "@pawl/core"
import type { Storage } from "@pawl/core/storage"
import { createEngine } from "../create-engine.ts"
import type { RuntimeHost } from "../host.ts"
import { allCommands } from "../prompt/find-command.ts"
import type { Command } from "../prompt/builtin-commands.ts"
import type { DefinedSettings } from "../config/definitions.ts"
import { fixedOptions } from "../config/engine-options.ts"
import { openPluginHost, type StartedPlugins } from "./plugin-host.ts"
import { requestedPlugins } from "./requested-plugins.ts"

/** The settings and contributions with all plugins started. */
export interface Inspected {
  readonly settings: DefinedSettings
  readonly commands: readonly Command[]
  /** Absent without plugins. */
  readonly started?: StartedPlugins
  readonly notices: readonly string[]
}

export interface InspectOptions {
  readonly signal?: AbortSignal
  /** Storage of the engine, closed by the caller. Default: a temporary one in memory. */
  readonly storage?: Storage
  /** For MCP servers as well, of which nothing is started before they are asked for. */
  readonly hasServers?: boolean
}

/** Starts the plugins in an engine without a model, which is closed after `look`. Imports nothing without plugins. */
export async function inspect<T>(
  settings: DefinedSettings,
  host: RuntimeHost,
  look: (inspected: Inspected, engine: Engine | undefined) => Promise<T> | T,
  { signal, storage, hasServers = false }: InspectOptions = {},
): Promise<T> {
  const { plugins, problems } = requestedPlugins(settings, host)
  if (plugins.length === 0 && !hasServers) {
    return await look({ settings, commands: allCommands(settings.definitions), notices: problems }, undefined)
  }
  const [{ memoryStorage }, fixed] = await Promise.all([import("@pawl/storage-memory"), fixedOptions(settings, host)])
  const told: string[] = []
  using pluginHost = await openPluginHost(settings, host, (text) => told.push(text))
  await using engine = await createEngine({ ...fixed.options, storage: storage ?? memoryStorage(), providers: [] })
  const started = await pluginHost.start(engine, signal)
  const { settings: changed, commands, notices } = started
  return await look({ settings: changed, commands, started, notices: [...notices, ...told] }, engine)
}
