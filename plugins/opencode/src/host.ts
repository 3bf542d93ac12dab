import type { Guardian } from "@pawl/process-guard"
import type { ServerHost } from "@pawl/server"

/** What plugins of OpenCode work in; the engine is that of which they are part. */
export interface OpenCodeHost extends Omit<ServerHost, "engine"> {
  /** Where a server listens; absent: nowhere, and plugins are told the address that OpenCode's would have. */
  readonly serverURL?: URL
  /** Ends what plugins start through Bun if this process dies. Absent: a guardian of their own. */
  readonly guardian?: Guardian
}

/** Where a module was found. */
export interface PluginPlace {
  /** Names the plugin: a package's name, or the path of a file. */
  readonly id: string
  /** From its entry in the configuration. */
  readonly options?: Readonly<Record<string, unknown>>
  readonly priority?: number
}
