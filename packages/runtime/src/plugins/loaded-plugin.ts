import type { PluginEntry } from "@pawl/core/plugin"
import type { PluginPlace } from "@pawl/plugin-loader"
import type { RequestedPlugin } from "./requested-plugins.ts"

/** A requested plugin after loading. */
export interface LoadedPlugin {
  readonly wanted: RequestedPlugin
  /** Empty if it could not be loaded. */
  readonly entries: readonly PluginEntry[]
  /** Location of the code. Absent for bundled plugins. */
  readonly place?: PluginPlace
  /** Sentences for people. */
  readonly problems: readonly string[]
  /** Milliseconds until it was loaded, with all plugins that were loaded in the same call. */
  readonly took: number
}
