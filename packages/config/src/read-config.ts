import { findSources, type SourceOptions } from "./find-sources.ts"
import type { Config } from "./schema.ts"
import type { ConfigOverrides, Env, TextSourceKind } from "./source.ts"

export interface ReadConfigOptions extends SourceOptions {
  /** Absolute. The nearest configuration is looked for here. */
  directory: string
  /** Absolute. Files from here down to the directory count; without it, only those in the directory. */
  worktree?: string | undefined
  /** `PAWL_CONFIG`, `PAWL_CONFIG_CONTENT`, `PAWL_CONFIG_DIR` and `XDG_CONFIG_HOME` are read, and what `{env:NAME}` names. */
  env: Env
  home: string | undefined
  /** A file for this run, in place of the one in `PAWL_CONFIG`. Relative to the directory. */
  file?: string | undefined
  /** Wins over every file. Taken as it is: nothing is substituted in it. */
  overrides?: ConfigOverrides | undefined
  /**
   * Whether `{env:…}` and `{file:…}` are replaced, for all text or by its origin; true where not said. Such text can carry
   * secrets to an address in the same file, so a project that is not trusted should get `{ project: false }`: there the
   * references then stay as written.
   */
  substitute?: boolean | Partial<Record<TextSourceKind, boolean>> | undefined
}

export interface LoadedConfig {
  config: Config
  /** What was read, lowest precedence first: absolute paths, `PAWL_CONFIG_CONTENT`, `overrides`. */
  sources: string[]
  /**
   * The source of each value, by its key (`provider.local.options.baseURL`, `instructions[0]`), in the order of the
   * config. An empty object or array counts as a value. Relative paths in the config are relative to their source.
   */
  origins: ReadonlyMap<string, string>
}

/**
 * The configuration for a directory. Lowest to highest: the user's file, the named file, the project's files from the root
 * of the worktree down, `PAWL_CONFIG_CONTENT`, overrides. In one directory `pawl.jsonc` goes before `pawl.json`.
 * Rejects with a ConfigError that lists every problem in every source.
 */
export async function readConfig(options: ReadConfigOptions): Promise<LoadedConfig> {
  const sources = await findSources(options)
  if (sources.length === 0) return { config: {}, sources: [], origins: new Map() }

  // The parser and the schema cost more than the rest of a start; most directories have nothing to read.
  const { readLayers } = await import("./read-layers.ts")
  return readLayers(sources, options)
}
