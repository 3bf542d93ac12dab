import type { PluginEntry } from "@pawl/core/plugin"
import type { PluginOrigin } from "@pawl/plugin-loader"
import type { RequestedPlugin } from "./requested-plugins.ts"

/** A requested plugin after loading. */
export interface LoadedPlugin {
  readonly wanted: RequestedPlugin
  /** Empty if it could not be loaded. */
  readonly entries: readonly PluginEntry[]
  /** Location of the code. Absent for bundled plugins. */
  readonly origin?: PluginOrigin
  /** Sentences for the user. */
  readonly problems: readonly string[]
  /** Milliseconds of the call that loaded it, which may have loaded other plugins too. */
  readonly took: number
}
