import { type Config, mergeLayers } from "@pawl/config"
import type { Engine } from "@pawl/core"
import type { RuntimeHost } from "../host.ts"
import { createMcpDesk } from "../mcp/mcp-servers.ts"
import { allCommands } from "../prompt/find-command.ts"
import type { Command } from "../prompt/builtin-commands.ts"
import { type DefinedSettings, joinedCommands } from "../config/definitions.ts"
import { type ConfigChanges, configChanges } from "../config/config-changes.ts"
import { type Crew, type Loaded, openCrew } from "./plugin-registry.ts"
import { pluginNotice, startProblem } from "./plugin-problems.ts"
import { pluginCommands } from "./plugin-commands.ts"
import type { Stage } from "./plugin-environment.ts"
import { wantedPlugins, type WantedPlugins } from "./requested-plugins.ts"

/** Result of starting the plugins. */
export interface Played {
  readonly loaded: Loaded
  /** With what their `config` hooks made of the configuration. */
  readonly settings: DefinedSettings
  /** All commands, including those of plugins. */
  readonly commands: readonly Command[]
  /** Notices for the user. */
  readonly notices: readonly string[]
}

/** Plugins, from what settings say of them to an engine that they are part of. */
export interface Team extends Disposable {
  readonly crew: Crew
  readonly stage: Stage
  /** Begins to load those that are wanted, so that something else can be done meanwhile. */
  prepare(signal?: AbortSignal): void
  /** Starts what was prepared in an engine, and gives it the settings to work with. */
  play(engine: Engine, signal?: AbortSignal): Promise<Played>
  /** The same with other settings, in the same engine. */
  replay(engine: Engine, settings: DefinedSettings, options?: { readonly keepProjects?: boolean }): Promise<Played>
  /** All commands once a command's own server was asked for its prompts; undefined for a command of no server. */
  meet(engine: Engine, command: string, signal?: AbortSignal): Promise<readonly Command[] | undefined>
}

/** Imports what loading plugins takes: only for those who want some. */
export async function openTeam(
  settings: DefinedSettings,
  host: RuntimeHost,
  notice: (text: string) => void,
): Promise<Team> {
  const stage: Stage = { settings, providers: [], commands: allCommands(settings.definitions), notice }
  const crew = await openCrew(stage, host)
  const desk = createMcpDesk(host)
  let prepared: Promise<readonly [WantedPlugins, Loaded]> | undefined

  async function load(given: DefinedSettings, options: Parameters<Crew["load"]>[2]) {
    const wanted = wantedPlugins(given, host)
    return [wanted, await crew.load(wanted.plugins, given, options)] as const
  }

  async function start(
    engine: Engine,
    given: DefinedSettings,
    [wanted, loaded]: readonly [WantedPlugins, Loaded],
  ): Promise<Played> {
    const told: string[] = []
    const unsubscribe = engine.subscribe((event) => {
      const text = event.type === "session.notice" ? pluginNotice(event) : undefined
      if (text !== undefined) told.push(text)
    })
    try {
      const running = new Set(engine.plugins.report().flatMap(({ id, problem }) => (problem === undefined ? [id] : [])))
      const own = loaded.members.flatMap(({ entries }) => entries)
      const failed = [...(await engine.plugins.set([...own, ...desk.entries]))]
      const { settings: changed, problems } = await withHooks(engine, given)
      stage.settings = changed
      const known = desk.entries
      const wrongServers = await desk.serve(changed)
      // Hooks may have named the first one.
      if (desk.entries !== known) failed.push(...(await engine.plugins.set([...own, ...desk.entries])))
      const commands = await pluginCommands(engine, allCommands(changed.definitions))
      stage.commands = commands
      const wrong = [
        ...[...wanted.problems, ...loaded.members.flatMap((member) => member.problems)],
        ...failed.map((problem) => startProblem(problem, running.has(problem.plugin))),
      ]
      return { loaded, settings: changed, commands, notices: [...wrong, ...problems, ...wrongServers, ...told] }
    } finally {
      unsubscribe()
    }
  }

  return {
    ...{ crew, stage },
    prepare(signal) {
      prepared ??= load(settings, { signal })
      // It is waited for later.
      prepared.catch(() => undefined)
    },
    async play(engine, signal) {
      prepared ??= load(settings, { signal })
      return await start(engine, settings, await prepared)
    },
    async replay(engine, next, options) {
      return await start(engine, next, await load(next, options))
    },
    async meet(engine, command, signal) {
      if (stage.commands.some(({ name }) => name === command)) return undefined
      if (!(await desk.meet(command, signal))) return undefined
      return (stage.commands = await pluginCommands(engine, allCommands(stage.settings.definitions)))
    },
    [Symbol.dispose]: () => crew.close(),
  }
}

/** Commands of files are in what hooks get to see, as they are in OpenCode. */
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
  // A plugin may take back what another has changed.
  const layer = added.length === 1 ? added[0] : (await configChanges("", before, after)).layer
  if (!layer) return { settings, problems }
  const { config: merged } = mergeLayers([{ source: "", config }, layer])
  const commands = joinedCommands(definitions.commands, { config: layer.config, layers: [layer] })
  const changed = { ...settings, config: merged, layers: [...settings.layers, ...added] }
  return { settings: { ...changed, definitions: { ...definitions, commands } }, problems }
}
