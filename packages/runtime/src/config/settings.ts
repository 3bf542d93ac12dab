import { join } from "node:path"
import { type Config, configPaths, mergeLayers, readConfig } from "@pawl/config"
import { findWorktree } from "@pawl/workspace"
import type { RuntimeHost } from "../host.ts"
import { originsOf } from "@pawl/worktree/origin"
import { originLayers } from "./origin-layers.ts"
import { organizationLayers } from "../organization/organization-layers.ts"
import { decideTrust, type Trust, type TrustOptions } from "@pawl/trust/decide-trust"
import { projectContent } from "@pawl/trust/project-content"
import { requireUnchanged } from "@pawl/trust/require-unchanged"
import { withoutUntrusted } from "@pawl/trust/without-untrusted"
import { rememberSecrets } from "./known-secrets.ts"
import { absolute, baseOf, type Layer, layerOf } from "@pawl/config/layer"
import { storageChoice, type StorageChoice, type StorageSources } from "./storage-choice.ts"

/** The configuration of a directory, and facts about its sources. */
export interface Settings {
  readonly config: Config
  /** Layers by source, lowest precedence first. An untrusted project's layer lacks everything that needs trust. */
  readonly layers: readonly Layer[]
  /** Absolute path. */
  readonly directory: string
  /** The git work tree's root, or the directory outside of git. */
  readonly worktree: string
  /** Absolute path of the user's own configuration directory. */
  readonly configDirectory: string
  /** Absolute path of the directory for sessions, unless they are stored elsewhere, and for saved outputs. */
  readonly dataDirectory: string
  readonly trust: Trust
}

/**
 * Rejects with a ConfigError that lists every problem of every file. The project's content is trusted if it was before
 * or if `options` say so. `PAWL_CONFIG` and `OPENCODE_CONFIG` are relative to the directory in which pawl was started.
 */
export async function readSettings(
  host: Pick<RuntimeHost, "environment" | "home"> & Partial<Pick<RuntimeHost, "directory" | "secrets" | "log">>,
  directory: string,
  options: TrustOptions = {},
): Promise<Settings> {
  const { environment: env, home } = host
  const worktree = await findWorktree(directory)
  const paths = configPaths({ env, home })
  const location = { directory, worktree: worktree ?? directory }
  const found = await projectContent(location)
  const read = async (project: boolean) => {
    const named = namedFiles({ environment: env, home, directory: host.directory ?? directory })
    const loaded = await readConfig({ directory, worktree, env, home, ...named, substitute: { project } })
    return {
      ...loaded,
      layers: loaded.layers.map((layer): Layer => ({ ...layer, isProject: layer.kind === "project" })),
    }
  }
  // References of a project are not replaced before it is trusted: they could send secrets to addresses that it
  // chooses.
  const asWritten = await read(false)
  const dataDirectory = env["PAWL_DATA_DIR"] ? paths.data : (chosenData(asWritten.layers, home) ?? paths.data)
  const origins = await originsOf(dataDirectory, found)
  const content = origins.length === 0 ? found : { ...found, origins }
  const trust = await decideTrust({ content, layers: asWritten.layers, dataDirectory, ...options })
  const own = trust.isTrusted ? await read(true) : untrusted(asWritten)
  // The content must be the same as when its trust was decided.
  await requireUnchanged({ ...location, trust })
  const organizations = await organizationLayers(dataDirectory, host)
  const applied = [...organizations, ...own.layers]
  const config = organizations.length === 0 ? own.config : mergeLayers(applied).config
  const layers = [...(await originLayers(origins.at(-1), applied, { env, home })), ...applied]
  if (host.secrets) rememberSecrets(config, host.secrets)
  host.log?.settle({ directory: dataDirectory, level: config.log?.level })
  host.log?.write("debug", "settings", () => ({
    ...{ directory, sources: layers.map(({ source }) => source), trusted: trust.isTrusted, data: dataDirectory },
  }))
  return { config, layers, ...location, configDirectory: paths.config, dataDirectory, trust }
}

type Read = Pick<Settings, "config" | "layers">

function untrusted(read: Read): Read {
  const layers = read.layers.map(withoutUntrusted)
  const isSame = layers.every((layer, at) => layer === read.layers[at])
  return isSame ? read : { layers, config: mergeLayers(layers).config }
}

/** Directories of sessions and other files. */
export interface DataLocations {
  readonly storage: StorageChoice
  /** Absolute path. */
  readonly dataDirectory: string
}

/**
 * Reads only the user's own configuration, so errors in a project's files do not matter. `flag`: see `StorageSources`.
 */
export async function readDataLocations(
  host: Pick<RuntimeHost, "environment" | "home" | "directory"> & Partial<Pick<RuntimeHost, "secrets" | "log">>,
  flag?: StorageSources["flag"],
): Promise<DataLocations> {
  const { environment: env, home } = host
  const paths = configPaths({ env, home })
  if (env["PAWL_DATA_DIR"] && (flag || env["PAWL_STORAGE"])) {
    const dataDirectory = paths.data
    host.log?.settle({ directory: dataDirectory })
    const configDirectory = attempt(() => paths.config)
    return { dataDirectory, storage: storageChoice({ host, flag, layers: [], configDirectory, dataDirectory }) }
  }
  // Below the path of a file no project can be found.
  const read = await readConfig({ directory: join(paths.config, "pawl.jsonc"), env, home, ...namedFiles(host) })
  if (host.secrets) rememberSecrets(read.config, host.secrets)
  const layers = read.layers.map((layer) => ({ ...layer, isProject: false }))
  const dataDirectory = env["PAWL_DATA_DIR"] ? paths.data : (chosenData(layers, home) ?? paths.data)
  const storage = storageChoice({ host, flag, layers, configDirectory: paths.config, dataDirectory })
  host.log?.settle({ directory: dataDirectory, level: read.config.log?.level })
  return { dataDirectory, storage }
}

/** Returns the absolute paths of named files, so that a project's file of the same name is not read. */
function namedFiles({ environment, directory, home }: Pick<RuntimeHost, "environment" | "directory" | "home">) {
  const named = (variable: string) => {
    const written = environment[variable]
    return written ? absolute(written, { base: directory, home }) : undefined
  }
  return { file: named("PAWL_CONFIG"), openCodeFile: named("OPENCODE_CONFIG") }
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** Only the user's own layers can set it. */
function chosenData(layers: readonly Layer[], home: string | undefined): string | undefined {
  const own = layers.filter(({ isProject }) => !isProject)
  const layer = layerOf(own, ({ data }) => data)
  return layer?.config.data === undefined ? undefined : absolute(layer.config.data, { base: baseOf(layer), home })
}
