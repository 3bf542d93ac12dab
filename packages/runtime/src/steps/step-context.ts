import { plainLine } from "@pawl/plain-text"
import type { RuntimeHost } from "../host.ts"
import type { Interaction } from "../interaction.ts"
import { processHost } from "../process-host.ts"
import { createResources, type Resources } from "../resources.ts"
import type { RuntimeOptions } from "../runtime-options.ts"

/** Arguments of every step from a directory to an engine. Disposing it closes everything that the steps opened. */
export interface StepContext extends AsyncDisposable {
  readonly options: RuntimeOptions
  readonly host: RuntimeHost
  readonly interaction: Interaction
  /** Reports a notice to the user, as one line without control characters. */
  readonly say: (text: string) => void
  readonly resources: Resources
}

export function createStepContext(options: RuntimeOptions): StepContext {
  const { host = processHost(), interaction = { notice: () => undefined } } = options
  const resources = createResources()
  return {
    options,
    host,
    interaction,
    say: (text) => interaction.notice(plainLine(text)),
    resources,
    [Symbol.asyncDispose]: () => resources.close(),
  }
}
