import { type Config, mergeLayers } from "@pawl/config"
import type { Engine, EngineEvent } from "@pawl/core"
import type { RuntimeHost } from "../host.ts"
import type { ConfiguredServer } from "../mcp/configured-servers.ts"
import type { AuthorizableServer } from "@pawl/plugin-mcp"
import { createMcpServers, type ServerReport } from "../mcp/mcp-servers.ts"
import type { OpenedMcp } from "../mcp/open-mcp.ts"
import { allCommands } from "../prompt/find-command.ts"
import type { Command } from "../prompt/builtin-commands.ts"
import { type DefinedSettings, joinedCommands } from "../config/definitions.ts"
import { type ConfigChanges, configChanges } from "../config/config-changes.ts"
import { type PluginRegistry, type LoadedSet, openPluginRegistry } from "./plugin-registry.ts"
import { pluginNotice, startProblem } from "./plugin-problems.ts"
import { pluginCommands } from "./plugin-commands.ts"
import { newEnvironment, type PluginEnvironment } from "./plugin-environment.ts"
import { requestedPlugins, type RequestedPlugins } from "./requested-plugins.ts"

/** Result of starting the plugins. */
export interface StartedPlugins {
  readonly loaded: LoadedSet
  /** Settings after the `config` hooks of the plugins. */
  readonly settings: DefinedSettings
  /** All commands, including those of plugins. */
  readonly commands: readonly Command[]
  /** Notices for the user. */
  readonly notices: readonly string[]
}

/** Loads the plugins that settings request, and starts them in an engine. */
export interface PluginHost extends Disposable {
  readonly registry: PluginRegistry
  readonly environment: PluginEnvironment
  /** Starts to load the requested plugins while the caller does other work. */
  prepare(signal?: AbortSignal): void
  /** Starts the loaded plugins in an engine, and returns the settings after their `config` hooks. */
  start(engine: Engine, signal?: AbortSignal): Promise<StartedPlugins>
  /** Starts the plugins of other settings in the same engine. */
  restart(
    engine: Engine,
    settings: DefinedSettings,
    options?: { readonly keepProjects?: boolean },
  ): Promise<StartedPlugins>
  /** Returns the state of each MCP server. */
  serverReports(): Promise<readonly ServerReport[]>
  /** The MCP servers; undefined without one. */
  readonly servers: OpenedMcp | undefined
  /** Returns a remote server for signing in; undefined for a local or unknown one. */
  remoteServer(name: string): Promise<AuthorizableServer | undefined>
  /** Adds an MCP server until the host ends. Returns the problems. */
  addServer(engine: Engine, server: ConfiguredServer): Promise<readonly string[]>
  /** Connects the MCP server of a command, and returns all commands. Undefined if the command belongs to no server. */
  connectServerOf(engine: Engine, command: string, signal?: AbortSignal): Promise<readonly Command[] | undefined>
}

/**
 * Creates the host of plugins and MCP servers. Imports the code that loads plugins, so call it only if there are some.
 * `liveEnvironment`: the environment to keep up to date. Default: a new one.
 */
export async function openPluginHost(
  settings: DefinedSettings,
  host: RuntimeHost,
  notice: (text: string) => void,
  liveEnvironment?: PluginEnvironment,
): Promise<PluginHost> {
  const environment = liveEnvironment ?? newEnvironment(settings, notice)
  Object.assign(environment, { settings, commands: allCommands(settings.definitions) })
  const registry = await openPluginRegistry(environment, host)
  const servers = createMcpServers(host)
  let prepared: Promise<readonly [RequestedPlugins, LoadedSet]> | undefined
  let own: LoadedSet["members"][number]["entries"] = []

  async function load(current: DefinedSettings, options: Parameters<PluginRegistry["load"]>[2]) {
    const wanted = requestedPlugins(current, host)
    return [wanted, await registry.load(wanted.plugins, current, options)] as const
  }

  async function start(
    engine: Engine,
    current: DefinedSettings,
    [wanted, loaded]: readonly [RequestedPlugins, LoadedSet],
  ): Promise<StartedPlugins> {
    const events: EngineEvent[] = []
    const unsubscribe = engine.subscribe((event) => {
      if (pluginNotice(event) !== undefined) events.push(event)
    })
    try {
      const running = new Set(engine.plugins.report().flatMap(({ id, problem }) => (problem === undefined ? [id] : [])))
      own = loaded.members.flatMap(({ entries }) => entries)
      const failed = [...(await engine.plugins.set([...own, ...servers.entries]))]
      const { settings: changed, problems } = await withHooks(engine, current)
      environment.settings = changed
      const known = servers.entries
      const wrongServers = await servers.serve(changed)
      // Hooks may have added the first server.
      if (servers.entries !== known) failed.push(...(await engine.plugins.set([...own, ...servers.entries])))
      const commands = await pluginCommands(engine, allCommands(changed.definitions))
      environment.commands = commands
      const wrong = [
        ...[...wanted.problems, ...loaded.members.flatMap((member) => member.problems)],
        ...failed.map((problem) => startProblem(problem, running.has(problem.plugin))),
      ]
      // The report about a plugin that did not start is in the list already, with its consequence.
      const failures = new Set(failed.map(({ message }) => message))
      const others = events.filter(
        ({ type, properties }) => type !== "plugin.error" || !failures.has(properties.message),
      )
      const notices = [...wrong, ...problems, ...wrongServers, ...others.flatMap((event) => pluginNotice(event) ?? [])]
      return { loaded, settings: changed, commands, notices }
    } finally {
      unsubscribe()
    }
  }

  return {
    ...{ registry, environment },
    prepare(signal) {
      prepared ??= load(settings, { signal })
      // `start` awaits it.
      prepared.catch(() => undefined)
    },
    async start(engine, signal) {
      prepared ??= load(settings, { signal })
      return await start(engine, settings, await prepared)
    },
    async restart(engine, next, options) {
      return await start(engine, next, await load(next, options))
    },
    async connectServerOf(engine, command, signal) {
      if (environment.commands.some(({ name }) => name === command)) return undefined
      if (!(await servers.connectServerOf(command, signal))) return undefined
      return (environment.commands = await pluginCommands(engine, allCommands(environment.settings.definitions)))
    },
    serverReports: () => servers.reports(),
    get servers() {
      return servers.opened
    },
    remoteServer: (name) => servers.remote(name, environment.settings),
    async addServer(engine, server) {
      const known = servers.entries
      const problems = await servers.add(server, environment.settings)
      if (servers.entries === known) return problems
      const failed = await engine.plugins.set([...own, ...servers.entries])
      return [...problems, ...failed.map(({ message }) => message)]
    },
    [Symbol.dispose]: () => registry.close(),
  }
}

/** Hooks see the commands of files too, as in OpenCode. */
async function withHooks(
  engine: Engine,
  settings: DefinedSettings,
): Promise<{ readonly settings: DefinedSettings; readonly problems: readonly string[] }> {
  const { definitions, config } = settings
  const written = definitions.commands.map(({ name, source: _s, isProject: _p, ...command }) => [name, command])
  const before: Config = written.length === 0 ? config : { ...config, command: Object.fromEntries(written) }
  const changes: ConfigChanges[] = []
  const drafts: (() => Promise<ConfigChanges>)[] = []
  const after = await engine.plugins.config(before, {
    onDraft: (plugin, was, draft) => void drafts.push(() => configChanges(plugin, was, draft)),
  })
  for (const compare of drafts) changes.push(await compare())
  const problems = changes.flatMap((each) => each.problems)
  const added = changes.flatMap(({ layer }) => layer ?? [])
  // A plugin may revert changes of another one.
  const layer = added.length === 1 ? added[0] : (await configChanges("", before, after)).layer
  if (!layer) return { settings, problems }
  const { config: merged } = mergeLayers([{ source: "", config }, layer])
  const commands = joinedCommands(definitions.commands, { config: layer.config, layers: [layer] })
  const changed = { ...settings, config: merged, layers: [...settings.layers, ...added] }
  return { settings: { ...changed, definitions: { ...definitions, commands } }, problems }
}
