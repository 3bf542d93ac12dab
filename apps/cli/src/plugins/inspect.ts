import { createEngine, type Engine, type Storage } from "@pawl/core"
import type { Host } from "../host.ts"
import { allCommands } from "../prompt/find-command.ts"
import type { Command } from "../prompt/builtin-commands.ts"
import type { DefinedSettings } from "../settings/definitions.ts"
import { fixedOptions } from "../settings/engine-options.ts"
import { openTeam, type Played } from "./team.ts"
import { wantedPlugins } from "./wanted-plugins.ts"

/** The settings and contributions with all plugins started. */
export interface Inspected {
  readonly settings: DefinedSettings
  readonly commands: readonly Command[]
  /** Absent without plugins. */
  readonly played?: Played
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
  host: Host,
  look: (inspected: Inspected, engine: Engine | undefined) => Promise<T> | T,
  { signal, storage, hasServers = false }: InspectOptions = {},
): Promise<T> {
  const { plugins, problems } = wantedPlugins(settings, host)
  if (plugins.length === 0 && !hasServers) {
    return await look({ settings, commands: allCommands(settings.definitions), notices: problems }, undefined)
  }
  const [{ memoryStorage }, fixed] = await Promise.all([import("@pawl/storage-memory"), fixedOptions(settings, host)])
  const told: string[] = []
  using team = await openTeam(settings, host, (text) => told.push(text))
  await using engine = await createEngine({ ...fixed.options, storage: storage ?? memoryStorage(), providers: [] })
  const played = await team.play(engine, signal)
  const { settings: changed, commands, notices } = played
  return await look({ settings: changed, commands, played, notices: [...notices, ...told] }, engine)
}
