import type { Provider } from "@pawl/core/provider"
import type { DefinedSettings } from "../config/definitions.ts"
import type { Command } from "../prompt/builtin-commands.ts"

/** State of pawl that plugins can read. It changes while they run. */
export interface PluginEnvironment {
  settings: DefinedSettings
  providers: readonly Provider[]
  /** Commands of files, of the configuration, and built-in ones. */
  commands: readonly Command[]
  /** Tells people something that ends nothing. */
  notice: (text: string) => void
}
