import type { Tool } from "@pawl/core/tool"
import type { Provider } from "@pawl/core/provider"
import type { DefinedSettings } from "../config/definitions.ts"
import type { Command } from "../prompt/builtin-commands.ts"
import { allCommands } from "../prompt/find-command.ts"

/** State of pawl that plugins can read. It changes while they run. */
export interface PluginEnvironment {
  settings: DefinedSettings
  providers: readonly Provider[]
  /** Tools of pawl and of files. */
  tools: readonly Tool[]
  /** Commands of files, of the configuration, and built-in ones. */
  commands: readonly Command[]
  /** Reports a message to the user. */
  notice: (text: string) => void
}

export function newEnvironment(settings: DefinedSettings, notice: (text: string) => void): PluginEnvironment {
  return { settings, providers: [], tools: [], commands: allCommands(settings.definitions), notice }
}
