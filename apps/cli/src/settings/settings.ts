import { dirname, join, resolve } from "node:path"
import { type Config, configPaths, readConfig } from "@pawl/config"
import { findWorktree } from "@pawl/core"
import type { Host } from "../host.ts"
import { absolute, baseOf, type Layer, layerOf } from "./layer.ts"
import { storageChoice, type StorageChoice, type StorageSources } from "./storage-choice.ts"

/** The configuration for a directory, and what follows from where its parts were written. */
export interface Settings {
  readonly config: Config
  /** What each source says by itself, lowest precedence first. */
  readonly layers: readonly Layer[]
  /** Absolute. */
  readonly directory: string
  /** The git work tree's root, or the directory outside of git. */
  readonly worktree: string
  /** Absolute: the user's own configuration. */
  readonly configDirectory: string
  /** Absolute: sessions, unless they are stored elsewhere, and kept outputs. */
  readonly dataDirectory: string
}

/** Rejects with a ConfigError that lists every problem of every file. */
export async function readSettings(host: Pick<Host, "environment" | "home">, directory: string): Promise<Settings> {
  const { environment: env, home } = host
  const worktree = await findWorktree(directory)
  const paths = configPaths({ env, home })
  // A project's references to the environment stay as they are written: they would carry secrets to its addresses.
  const read = await readConfig({ directory, worktree, env, home, substitute: { project: false } })
  const named = env["PAWL_CONFIG"] ? absolute(env["PAWL_CONFIG"], { base: directory, home }) : undefined
  const layers = read.layers.map(({ source, config }): Layer => {
    const isUsers = resolve(source) !== source || source === named || dirname(source) === paths.config
    return { source, config, isProject: !isUsers }
  })
  return {
    config: read.config,
    layers,
    directory,
    worktree: worktree ?? directory,
    configDirectory: paths.config,
    dataDirectory: env["PAWL_DATA_DIR"] ? paths.data : (chosenData(layers, home) ?? paths.data),
  }
}

/** Where sessions and other files are kept. */
export interface Places {
  readonly storage: StorageChoice
  /** Absolute. */
  readonly dataDirectory: string
}

/** As the user alone says: what is wrong with a project's file does not matter. `flag`: see `StorageSources`. */
export async function readPlaces(
  host: Pick<Host, "environment" | "home" | "directory">,
  flag?: StorageSources["flag"],
): Promise<Places> {
  const { environment: env, home } = host
  const paths = configPaths({ env, home })
  if (env["PAWL_DATA_DIR"] && (flag || env["PAWL_STORAGE"])) {
    const dataDirectory = paths.data
    const configDirectory = attempt(() => paths.config)
    return { dataDirectory, storage: storageChoice({ host, flag, layers: [], configDirectory, dataDirectory }) }
  }
  const file = env["PAWL_CONFIG"] ? absolute(env["PAWL_CONFIG"], { base: host.directory, home }) : undefined
  // Below a file there is no project.
  const read = await readConfig({ directory: join(paths.config, "pawl.jsonc"), env, home, file })
  const layers = read.layers.map((layer) => ({ ...layer, isProject: false }))
  const dataDirectory = env["PAWL_DATA_DIR"] ? paths.data : (chosenData(layers, home) ?? paths.data)
  const storage = storageChoice({ host, flag, layers, configDirectory: paths.config, dataDirectory })
  return { dataDirectory, storage }
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** Only the user says where sessions are stored. */
function chosenData(layers: readonly Layer[], home: string | undefined): string | undefined {
  const own = layers.filter(({ isProject }) => !isProject)
  const layer = layerOf(own, ({ data }) => data)
  return layer?.config.data === undefined ? undefined : absolute(layer.config.data, { base: baseOf(layer), home })
}
