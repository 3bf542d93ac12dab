import type { Guardian } from "@pawl/process-guard"
import type { ServerHost } from "@pawl/server"

/** The environment of OpenCode plugins. Their engine comes with the plugin's input. */
export interface OpenCodeHost extends Omit<ServerHost, "engine"> {
  /**
   * The address of a listening server. Default: the address that OpenCode's server would have, where no server listens.
   */
  readonly serverURL?: URL
  /** Ends processes that plugins start through Bun if this process dies. Default: a new guardian. */
  readonly guardian?: Guardian
}

/** The origin of a module. */
export interface PluginOrigin {
  /** The plugin's name: a package name or the path of a file. */
  readonly id: string
  /** From the plugin's entry in the configuration. */
  readonly options?: Readonly<Record<string, unknown>>
  readonly priority?: number
}
