import type { PluginEntry } from "@pawl/core"
import type { PluginPlace } from "@pawl/plugin-loader"
import type { WantedPlugin } from "./requested-plugins.ts"

/** A plugin, with what was made of it. */
export interface CrewMember {
  readonly wanted: WantedPlugin
  /** None where it could not be loaded. */
  readonly entries: readonly PluginEntry[]
  /** Location of the code. Absent for bundled plugins. */
  readonly place?: PluginPlace
  /** Sentences for people. */
  readonly problems: readonly string[]
  /** Milliseconds until it was there, of all that were loaded with it. */
  readonly took: number
}
