import type { RuntimeHost } from "../host.ts"
import type { Interaction } from "../interaction.ts"
import type { Resources } from "../resources.ts"
import type { RuntimeOptions } from "../runtime-options.ts"

/** Arguments of every step from a directory to an engine. */
export interface StepContext {
  readonly options: RuntimeOptions
  readonly host: RuntimeHost
  readonly interaction: Interaction
  /** Reports a notice to the user, as one line without control characters. */
  readonly say: (text: string) => void
  readonly resources: Resources
}
