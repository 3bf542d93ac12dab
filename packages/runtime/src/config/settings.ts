import { join } from "node:path"
import { type Config, configPaths, mergeLayers, readConfig } from "@pawl/config"
import { findWorktree } from "@pawl/workspace"
import type { RuntimeHost } from "../host.ts"
import { organizationLayers } from "../organization/organization-layers.ts"
import { decideTrust, type Trust, type TrustOptions } from "@pawl/trust/decide-trust"
import { projectContent } from "@pawl/trust/project-content"
import { requireUnchanged } from "@pawl/trust/require-unchanged"
import { withoutUntrusted } from "@pawl/trust/without-untrusted"
import { rememberSecrets } from "./known-secrets.ts"
import { absolute, baseOf, type Layer, layerOf } from "@pawl/config/layer"
import { storageChoice, type StorageChoice, type StorageSources } from "./storage-choice.ts"

/** The configuration for a directory, and what follows from where its parts were written. */
export interface Settings {
  readonly config: Config
  /** Layers by source, lowest precedence first. An untrusted project's layer lacks everything that needs trust. */
  readonly layers: readonly Layer[]
  /** Absolute. */
  readonly directory: string
  /** The git work tree's root, or the directory outside of git. */
  readonly worktree: string
  /** Absolute: the user's own configuration. */
  readonly configDirectory: string
  /** Absolute: sessions, unless they are stored elsewhere, and kept outputs. */
  readonly dataDirectory: string
  readonly trust: Trust
}

/**
 * Rejects with a ConfigError that lists every problem of every file. What the project supplies is trusted if it was
 * before, or if `options` say so. `PAWL_CONFIG` and `OPENCODE_CONFIG` begin where pawl was started, wherever it works.
 */
export async function readSettings(
  host: Pick<RuntimeHost, "environment" | "home"> & Partial<Pick<RuntimeHost, "directory" | "secrets" | "log">>,
  directory: string,
  options: TrustOptions = {},
): Promise<Settings> {
  const { environment: env, home } = host
  const worktree = await findWorktree(directory)
  const paths = configPaths({ env, home })
  const place = { directory, worktree: worktree ?? directory }
  const content = await projectContent(place)
  const read = async (project: boolean) => {
    const named = namedFiles({ environment: env, home, directory: host.directory ?? directory })
    const loaded = await readConfig({ directory, worktree, env, home, ...named, substitute: { project } })
    return {
      ...loaded,
      layers: loaded.layers.map((layer): Layer => ({ ...layer, isProject: layer.kind === "project" })),
    }
  }
  // References of a project stay as they are written until it is trusted: they would carry secrets to its addresses.
  const asWritten = await read(false)
  const dataDirectory = env["PAWL_DATA_DIR"] ? paths.data : (chosenData(asWritten.layers, home) ?? paths.data)
  const trust = await decideTrust({ content, layers: asWritten.layers, dataDirectory, ...options })
  const own = trust.isTrusted ? await read(true) : untrusted(asWritten)
  // What was read has to be what was judged.
  await requireUnchanged({ ...place, trust })
  const organizations = await organizationLayers(dataDirectory, host)
  const layers = [...organizations, ...own.layers]
  const config = organizations.length === 0 ? own.config : mergeLayers(layers).config
  if (host.secrets) rememberSecrets(config, host.secrets)
  host.log?.settle({ directory: dataDirectory, level: config.log?.level })
  host.log?.write("debug", "settings", () => ({
    ...{ directory, sources: layers.map(({ source }) => source), trusted: trust.isTrusted, data: dataDirectory },
  }))
  return { config, layers, ...place, configDirectory: paths.config, dataDirectory, trust }
}

type Read = Pick<Settings, "config" | "layers">

function untrusted(given: Read): Read {
  const layers = given.layers.map(withoutUntrusted)
  const isSame = layers.every((layer, at) => layer === given.layers[at])
  return isSame ? given : { layers, config: mergeLayers(layers).config }
}

/** Directories of sessions and other files. */
export interface Places {
  readonly storage: StorageChoice
  /** Absolute. */
  readonly dataDirectory: string
}

/** As the user alone says: what is wrong with a project's file does not matter. `flag`: see `StorageSources`. */
export async function readPlaces(
  host: Pick<RuntimeHost, "environment" | "home" | "directory"> & Partial<Pick<RuntimeHost, "secrets" | "log">>,
  flag?: StorageSources["flag"],
): Promise<Places> {
  const { environment: env, home } = host
  const paths = configPaths({ env, home })
  if (env["PAWL_DATA_DIR"] && (flag || env["PAWL_STORAGE"])) {
    const dataDirectory = paths.data
    host.log?.settle({ directory: dataDirectory })
    const configDirectory = attempt(() => paths.config)
    return { dataDirectory, storage: storageChoice({ host, flag, layers: [], configDirectory, dataDirectory }) }
  }
  // Below a file there is no project.
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

/** Only the user says where sessions are stored. */
function chosenData(layers: readonly Layer[], home: string | undefined): string | undefined {
  const own = layers.filter(({ isProject }) => !isProject)
  const layer = layerOf(own, ({ data }) => data)
  return layer?.config.data === undefined ? undefined : absolute(layer.config.data, { base: baseOf(layer), home })
}
