import type { Provider } from "@pawl/core"
import type { DefinedSettings } from "../settings/definitions.ts"
import type { Command } from "../prompt/builtin-commands.ts"

/** What plugins see of what pawl works with; it changes while they run. */
export interface Stage {
  settings: DefinedSettings
  providers: readonly Provider[]
  /** Those of files, of the configuration and of pawl's own. */
  commands: readonly Command[]
  /** Tells people something that ends nothing. */
  notice: (text: string) => void
}
