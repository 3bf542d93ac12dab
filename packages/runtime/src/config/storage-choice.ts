import { join } from "node:path"
import type { RuntimeHost } from "../host.ts"
import { absolute, baseOf, type Layer, layerOf } from "@pawl/config/layer"

/** The selected storage, and the source of the choice. */
export interface StorageChoice {
  /** Paths in it are absolute. It may contain a password: display it only through `hidePasswords`. */
  readonly url: string
  /** `--storage`, `PAWL_STORAGE`, a file, or `the default`. */
  readonly source: string
  /** Directories in which the package of an `npm:` URL is searched, in this order, before pawl's own. */
  readonly packageDirectories: readonly string[]
}

export interface StorageSources {
  readonly host: Pick<RuntimeHost, "environment" | "home" | "directory">
  /** The value of `--storage`, or of another option that names a storage. */
  readonly flag?: { readonly name: string; readonly value: string } | undefined
  /** Layers of a project are ignored: a project could choose who reads the sessions, and which code runs. */
  readonly layers: readonly Layer[]
  readonly configDirectory: string | undefined
  readonly dataDirectory: string
}

/** Precedence, highest first: the flag, `PAWL_STORAGE`, the user's configuration, `pawl.db` in the data directory. */
export function storageChoice({ host, flag, layers, configDirectory, dataDirectory }: StorageSources): StorageChoice {
  const { environment, home, directory } = host
  const variable = environment["PAWL_STORAGE"]
  const named = flag ?? (variable ? { name: "PAWL_STORAGE", value: variable } : undefined)
  if (named) {
    const packageDirectories = [...(configDirectory === undefined ? [] : [configDirectory]), directory]
    return { url: absoluteURL(named.value, directory, home), source: named.name, packageDirectories }
  }
  const own = layers.filter(({ isProject }) => !isProject)
  const layer = layerOf(own, ({ storage }) => storage)
  const url = layer?.config.storage
  if (layer && url !== undefined) {
    const base = baseOf(layer) ?? directory
    // Not the working directory, where a project could have placed a package of that name.
    const packageDirectories = [baseOf(layer) ?? configDirectory].filter((each) => each !== undefined)
    return { url: absoluteURL(url, base, home), source: layer.source, packageDirectories }
  }
  return { url: `sqlite:${join(dataDirectory, "pawl.db")}`, source: "the default", packageDirectories: [] }
}

/** Returns the notice about a project's file that sets the storage. Undefined without such a file. */
export function refusedStorage(layers: readonly Layer[]): string | undefined {
  const layer = layerOf(
    layers.filter(({ isProject }) => isProject),
    ({ storage }) => storage,
  )
  if (!layer) return undefined
  return (
    `${layer.source}: "storage" does nothing here. A project chooses neither where your sessions are stored nor code that ` +
    "stores them: use --storage, PAWL_STORAGE or your own configuration."
  )
}

/** Makes the path of a `sqlite:` or `file:` URL absolute. Other URLs are returned unchanged. */
function absoluteURL(url: string, base: string, home: string | undefined): string {
  const [, scheme = "", written = ""] = /^(sqlite|file):(.+)$/is.exec(url) ?? []
  // Three slashes mean the same as one, as in other URLs.
  const path = scheme.toLowerCase() === "sqlite" ? written.replace(/^\/\/(?=\/)/, "") : written
  // Names that begin with a colon are SQLite's names for databases without a file.
  if (path === "" || path.startsWith("//") || path.startsWith(":")) return url
  return `${scheme.toLowerCase()}:${absolute(path, { base, home })}`
}
