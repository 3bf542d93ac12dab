import { dirname, join, resolve } from "node:path"
import type { ConfigLayer } from "./merge.ts"
import type { Config } from "./schema.ts"
import type { LayerKind } from "./source.ts"

/** The configuration of one source. */
export interface Layer {
  readonly config: Config
  /** Absolute path of the file, or the name of another source. */
  readonly source: string
  /** Name of the plugin whose hook has written it. Absent for other layers. */
  readonly plugin?: string
  /** True for a file of the project, which is trusted less than the user's own files. */
  readonly isProject: boolean
  /** Kind of the source. Absent for layers that pawl creates. */
  readonly kind?: LayerKind
  /** Option or variable that names the file. Absent for files that pawl finds. */
  readonly namedBy?: string
  /** Ignored keys, in the order of its text. */
  readonly leftOut?: ConfigLayer["leftOut"]
  /** Returns the position of a key. Absent if no caller needs it. */
  readonly positionOf?: ConfigLayer["positionOf"]
  /** The configuration before references to variables and files were replaced. Absent if it has no references. */
  readonly written?: Config
  /** Keys that were removed because the project is not trusted. */
  readonly withheld?: Partial<Config>
}

/** Returns the highest layer that sets the value; undefined if no layer does. */
export function layerOf(layers: readonly Layer[], value: (config: Config) => unknown): Layer | undefined {
  return layers.findLast(({ config }) => value(config) !== undefined)
}

/** Returns the base directory of a layer's relative paths. Undefined if the source is not a file. */
export function baseOf({ source }: Layer): string | undefined {
  return resolve(source) === source ? dirname(source) : undefined
}

/** Makes a path of the configuration absolute: below the home directory after `~/`, else relative to `base`. */
export function absolute(
  path: string,
  { base = "/", home }: { base?: string | undefined; home: string | undefined },
): string {
  return path.startsWith("~/") && home ? join(home, path.slice(2)) : resolve(base, path)
}
