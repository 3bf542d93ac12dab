import { isPawlPlugin, type PluginEntry } from "@pawl/core/plugin"
import type { InstallRecord } from "./install/record.ts"
import type { PluginSpec } from "./spec/plugin-spec.ts"

/** The origin of a module that becomes plugins. */
export interface PluginOrigin extends PluginSpec {
  /** Name of the npm package, or the absolute path of the spec. */
  readonly id: string
  readonly kind: "npm" | "file"
  /** Absolute path of the module's file. */
  readonly entry: string
  /** Absolute directory of the package, or of the single file. */
  readonly root: string
  /** From package.json. */
  readonly name?: string
  readonly version?: string
  /** Set if npm installed the package. */
  readonly installed?: InstallRecord
}

/** Converts the modules that it accepts to plugins. */
export interface PluginAdapter {
  accepts(exports: Readonly<Record<string, unknown>>, place: PluginOrigin): boolean
  /** An error here becomes a problem of the stage `adapt`. */
  adapt(
    exports: Readonly<Record<string, unknown>>,
    place: PluginOrigin,
  ): readonly PluginEntry[] | Promise<readonly PluginEntry[]>
}

/** Accepts modules whose default export was created by `definePlugin`. */
export const pawlAdapter: PluginAdapter = {
  accepts: (exports) => isPawlPlugin(exports["default"]),
  adapt({ default: plugin }, { id, options }) {
    return isPawlPlugin(plugin) ? [{ id, plugin, ...(options ? { options } : {}) }] : []
  },
}
