import { type ModelRef, type Provider, requireVariant } from "@pawl/core"
import { UsageError } from "../arguments/usage-error.ts"
import type { ChosenCommand } from "../prompt/find-command.ts"
import type { DefinedSettings } from "../settings/definitions.ts"
import { isSubtask } from "./run-agent.ts"
import type { TaskRequest } from "./task-request.ts"

export interface VariantChoice {
  readonly command: ChosenCommand | undefined
  readonly settings: DefinedSettings
  readonly model: ModelRef
  readonly providers: readonly Provider[]
}

/**
 * The variant that the prompt asks for; undefined for that of the session or the agent. Throws UsageError, before
 * anything is stored, for one that the model does not have.
 */
export async function chosenVariant(
  { model: { variant: flag } }: Pick<TaskRequest, "model">,
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
