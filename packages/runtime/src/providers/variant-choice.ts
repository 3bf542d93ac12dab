import { type ModelRef, type Provider, requireVariant } from "@pawl/core/provider"
import { UsageError } from "@pawl/config/usage-error"
import type { ChosenCommand } from "../prompt/find-command.ts"
import type { DefinedSettings } from "../config/definitions.ts"
import { isSubtask } from "../prompt/agent-choice.ts"
import type { RuntimeOptions } from "../runtime-options.ts"

export interface VariantChoice {
  readonly command: ChosenCommand | undefined
  readonly settings: DefinedSettings
  readonly model: ModelRef
  readonly providers: readonly Provider[]
}

/**
 * Returns the variant that the user selected. Undefined for the variant of the session or the agent. Throws UsageError, before
 * anything is stored, if the model does not have the variant.
 */
export async function chosenVariant(
  { model: { variant: flag } = {} }: Pick<RuntimeOptions, "model">,
  { command, settings, model, providers }: VariantChoice,
): Promise<string | undefined> {
  const own = command && !isSubtask(command, settings) ? command.command.variant : undefined
  const wanted = flag ?? own
  const provider = providers.find(({ id }) => id === model.providerID)
  if (wanted === undefined || !provider) return wanted
  const found = await provider.model(model.modelID)
  try {
    requireVariant(found, wanted)
  } catch (error) {
    const by = flag === undefined ? `the variant of /${command?.command.name}` : "--variant"
    throw new UsageError(`${by} is "${wanted}". ${(error as Error).message}`)
  }
  return wanted
}
