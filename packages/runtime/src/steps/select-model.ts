import type { ModelRef, Session } from "@pawl/core"
import { type LoadedProviders, loadProviders } from "@pawl/provider-registry/load-providers"
import type { DefinedSettings } from "../config/definitions.ts"
import { chosenModel, modelSources } from "../providers/model-choice.ts"
import { openProviderAuth } from "../providers/open-provider-auth.ts"
import type { CommandChoice } from "./choose-command.ts"
import type { RunningPlugins } from "./start-plugins.ts"
import type { StepContext } from "./step-context.ts"

export interface SelectedModel {
  readonly model: ModelRef
  /** Providers with saved credentials. */
  readonly kept: ReadonlySet<string>
  /** Loads the providers of all models that the settings name. Rejects if the selected model cannot be used. */
  load(settings: DefinedSettings): Promise<LoadedProviders>
}

/** Step 5: opens the credentials and selects the model. */
export async function selectModel(
  { command, agent, isSummarizer }: CommandChoice,
  settings: DefinedSettings,
  session: Session | undefined,
  plugins: RunningPlugins | undefined,
  { options, host, interaction }: StepContext,
): Promise<SelectedModel> {
  const { auth, kept } = await openProviderAuth(settings, host, plugins?.engine)
  const model = await chosenModel(options, { session, agent, command, settings, kept }, host)
  host.log.write("debug", "model", { ...model, agent })
  return {
    model,
    kept,
    async load(current) {
      const sources = modelSources({ ...options, isSummarizer }, { settings: current, command, model }, host)
      const loaded = await loadProviders(model, { ...sources, auth })
      return { ...loaded, providers: interaction.listen?.(loaded.providers) ?? loaded.providers }
    },
  }
}
