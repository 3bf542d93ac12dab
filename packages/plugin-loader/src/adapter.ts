import { isPawlPlugin, type PluginEntry } from "@pawl/core/plugin"
import type { InstallRecord } from "./install/record.ts"
import type { PluginSpec } from "./spec/plugin-spec.ts"

/** Where a module comes from that is to become plugins. */
export interface PluginPlace extends PluginSpec {
  /** The package's name for what npm installed, else the absolute path that the spec means. */
  readonly id: string
  readonly kind: "npm" | "file"
  /** Absolute: the module's file. */
  readonly entry: string
  /** Absolute: the package's directory; of a single file, the one that it lies in. */
  readonly root: string
  /** From its package.json. */
  readonly name?: string
  readonly version?: string
  /** Of what npm installed. */
  readonly installed?: InstallRecord
}

/** Makes plugins of the modules that it knows. */
export interface PluginAdapter {
  accepts(exports: Readonly<Record<string, unknown>>, place: PluginPlace): boolean
  /** What throws here is a problem of the stage `adapt`. */
  adapt(
    exports: Readonly<Record<string, unknown>>,
    place: PluginPlace,
  ): readonly PluginEntry[] | Promise<readonly PluginEntry[]>
}

/** Modules whose default export was made by `definePlugin`. */
export const pawlAdapter: PluginAdapter = {
  accepts: (exports) => isPawlPlugin(exports["default"]),
  adapt({ default: plugin }, { id, options }) {
    return isPawlPlugin(plugin) ? [{ id, plugin, ...(options ? { options } : {}) }] : []
  },
}
