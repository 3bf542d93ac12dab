import { dirname, join, resolve } from "node:path"
import type { Config, ConfigLayer, LayerKind } from "@pawl/config"

/** What one source says. */
export interface Layer {
  readonly config: Config
  /** An absolute path, or the name of a source that is no file. */
  readonly source: string
  /** What to call the plugin whose hook has written it; absent for all other layers. */
  readonly plugin?: string
  /** A file of the project: it came with the code, and is trusted with less. */
  readonly isProject: boolean
  /** Who speaks; absent for what is made by pawl itself. */
  readonly kind?: LayerKind
  /** What names the file, such as a variable; absent for files that are found. */
  readonly namedBy?: string
  /** What it says that means nothing here, in the order of its text. */
  readonly leftOut?: ConfigLayer["leftOut"]
  /** Where a key is written; absent where nobody needs to know. */
  readonly positionOf?: ConfigLayer["positionOf"]
  /** The same before references to variables and files were replaced; absent where they were not. */
  readonly written?: Config
  /** What was taken out of it, as the project is not trusted. */
  readonly withheld?: Partial<Config>
}

/** The layer whose word counts for a value; undefined where none sets it. */
export function layerOf(layers: readonly Layer[], value: (config: Config) => unknown): Layer | undefined {
  return layers.findLast(({ config }) => value(config) !== undefined)
}

/** Where relative paths of a layer begin; undefined for what is no file. */
export function baseOf({ source }: Layer): string | undefined {
  return resolve(source) === source ? dirname(source) : undefined
}

/** A path of the configuration: below the home directory after `~/`, else relative to `base`. */
export function absolute(
  path: string,
  { base = "/", home }: { base?: string | undefined; home: string | undefined },
): string {
  return path.startsWith("~/") && home ? join(home, path.slice(2)) : resolve(base, path)
}
