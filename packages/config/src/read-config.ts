import { findSources } from "./find-sources.ts"
import type { ConfigLayer } from "./merge.ts"
import type { ReadConfigOptions } from "./options.ts"
import type { Config } from "./schema.ts"

export interface LoadedConfig {
  config: Config
  /** Names of the sources, lowest precedence first: absolute paths, the name of a variable, `overrides`. */
  sources: string[]
  /** The layers of the sources in the same order. They have values that merging loses, such as an overridden `deny`. */
  layers: readonly ConfigLayer[]
  /**
   * The source of each value, by its key (`provider.local.options.baseURL`, `instructions[0]`), in the order of the
   * config. An empty object or array counts as a value. Relative paths in the config are relative to their source.
   */
  origins: ReadonlyMap<string, string>
}

/**
 * Reads the configuration for a directory. Precedence, lowest first: the user's file, the files in `OPENCODE_CONFIG`
 * and `PAWL_CONFIG`, the project's files from the root of the worktree down, `OPENCODE_CONFIG_CONTENT`,
 * `PAWL_CONFIG_CONTENT`, overrides. In one directory, `pawl.jsonc` overrides `pawl.json`. OpenCode's files are read if
 * a directory has neither; `leftOut` of their layers lists the ignored keys. Rejects with a ConfigError that lists
 * every problem in every source.
 */
export async function readConfig(options: ReadConfigOptions): Promise<LoadedConfig> {
  const sources = await findSources(options)
  if (sources.length === 0) return { config: {}, sources: [], layers: [], origins: new Map() }

  // Loaded on demand, since loading the parser and the schema takes longer than the rest, and most directories have no
  // configuration.
  const { readLayers } = await import("./read-layers.ts")
  const layers = await readLayers(sources, options)
  const { mergeLayers } = await import("./merge.ts")
  return { ...mergeLayers(layers), sources: layers.map(({ source }) => source), layers }
}
