import {
  type AgentConfig,
  type AgentDefinition,
  type CommandDefinition,
  type Config,
  type DefinitionProblem,
  type PluginFile,
  readDefinitions,
  type SkillDefinition,
  type ToolFile,
} from "@pawl/config"
import type { RuntimeHost } from "../host.ts"
import { absolute, baseOf, layerOf } from "@pawl/config/layer"
import { readSettings, type Settings } from "./settings.ts"
import type { TrustOptions } from "@pawl/trust/decide-trust"
import { dividedAgent } from "@pawl/trust/without-untrusted"

/** Definitions of files besides the configuration. */
export interface FileDefinitions {
  /** As written in the files. The configuration's agents contain the parts that apply. */
  readonly agents: readonly AgentDefinition[]
  /** Commands sorted by name. Those of the configuration take precedence over those of files. */
  readonly commands: readonly CommandDefinition[]
  readonly skills: readonly SkillDefinition[]
  /** Tool files that may be loaded. Excludes those of an untrusted project. */
  readonly toolFiles: readonly ToolFile[]
  /** All tool files. */
  readonly allToolFiles: readonly ToolFile[]
  /** Plugin files that may be loaded, in order. */
  readonly plugins: readonly PluginFile[]
  /** All plugin files. */
  readonly allPlugins: readonly PluginFile[]
  readonly problems: readonly DefinitionProblem[]
}

/** Settings whose agents include those of files. */
export interface DefinedSettings extends Settings {
  readonly definitions: FileDefinitions
}

/** Like `readSettings`, with the definitions of files. */
export async function readDefinedSettings(
  host: Parameters<typeof readSettings>[0],
  directory: string,
  options?: TrustOptions,
): Promise<DefinedSettings> {
  return withDefinitions(await readSettings(host, directory, options), host)
}

/** Merges agents of files into the configuration. For an agent in both, each key of the configuration takes precedence. */
export async function withDefinitions(
  settings: Settings,
  { environment, home }: Pick<RuntimeHost, "environment" | "home">,
): Promise<DefinedSettings> {
  const { directory, worktree, config, trust } = settings
  const { agents, commands, skills, tools, plugins, problems } = await readDefinitions({
    ...{ directory, worktree, env: environment, home },
    skillDirectories: skillDirectories(settings, home),
  })
  return {
    ...settings,
    config: agents.length === 0 ? config : { ...config, agent: joinedAgents(agents, config, trust.isTrusted) },
    definitions: {
      ...{ agents, skills, problems },
      commands: joinedCommands(commands, settings),
      toolFiles: tools.filter(({ isProject }) => !isProject || trust.isTrusted),
      allToolFiles: tools,
      plugins: plugins.filter(({ isProject }) => !isProject || trust.isTrusted),
      allPlugins: plugins,
    },
  }
}

function skillDirectories({ layers }: Settings, home: string | undefined) {
  return layers.flatMap((layer) => {
    const paths = layer.config.skills?.paths ?? []
    return paths.map((path) => ({
      directory: absolute(path, { base: baseOf(layer), home }),
      isProject: layer.isProject,
    }))
  })
}

function joinedAgents(
  agents: readonly AgentDefinition[],
  { agent: configured = {} }: Pick<Config, "agent">,
  isTrusted: boolean,
): Record<string, AgentConfig> {
  const written = agents.map(({ name, config, isProject }): [string, AgentConfig] => {
    const trustedConfig = isProject && !isTrusted ? dividedAgent(config)[0] : config
    return [name, { ...trustedConfig, ...configured[name] }]
  })
  return { ...configured, ...Object.fromEntries(written) }
}

/** Joins commands, sorted by name. The configuration takes precedence over a file of the same name. */
export function joinedCommands(
  commands: readonly CommandDefinition[],
  { config, layers }: Pick<Settings, "config" | "layers">,
): CommandDefinition[] {
  const configured = Object.entries(config.command ?? {}).map(([name, command]): CommandDefinition => {
    const layer = layerOf(layers, (each) => each.command?.[name]?.template)
    return { ...command, name, source: layer?.source ?? "configuration", isProject: layer?.isProject ?? true }
  })
  const byName = new Map([...commands, ...configured].map((command) => [command.name, command]))
  return [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
