import { errorMessage } from "@pawl/config/error-message"
import type { Engine } from "@pawl/core"
import type { ModelRef, Provider } from "@pawl/core/provider"
import type { Storage } from "@pawl/core/storage"
import type { Tool } from "@pawl/core/tool"
import type { LoadedProviders } from "@pawl/provider-registry/load-providers"
import { REPLAY } from "@pawl/provider-registry/replay"
import type { BackgroundShells, Sandbox } from "@pawl/tools"
import { SUMMARIZER } from "../config/agents.ts"
import type { DefinedSettings } from "../config/definitions.ts"
import { type ChangingOptions, engineOptions, type GuardedRunning } from "../config/engine-options.ts"
import type { PromptContext } from "../prompt/prompt-parts.ts"
import type { RuntimeOptions } from "../runtime-options.ts"
import type { SelectedModel } from "./select-model.ts"
import { openEngine, type RunningPlugins } from "./start-plugins.ts"
import type { StepContext } from "./step-context.ts"

export interface EngineSources {
  readonly settings: DefinedSettings
  readonly storage: Promise<Storage>
  readonly plugins: RunningPlugins | undefined
  readonly sandbox: Sandbox | undefined
  readonly selected: SelectedModel
  readonly isSummarizer: boolean
}

export interface StartedEngine {
  readonly engine: Engine
  readonly storage: Storage
  readonly providers: readonly Provider[]
  readonly options: PromptContext["options"]
  /** Reason why the model cannot be used. Undefined unless the options say `isReport`. */
  readonly problem: string | undefined
  /** Tools that come with pawl. */
  readonly builtin: readonly Tool[]
  /** Background commands of these tools. */
  readonly shells: BackgroundShells
  /** For commands that run besides those of tools. */
  readonly running: GuardedRunning
  /** Notices about skipped items. */
  readonly notices: readonly string[]
  /** Reason why the model for summaries cannot be used. */
  readonly unusable: string | undefined
}

/** Step 6: loads the providers and tools, and completes the engine. If there are plugins, it is their engine. */
export async function startEngine(sources: EngineSources, context: StepContext): Promise<StartedEngine> {
  const { settings, storage, plugins, sandbox, selected, isSummarizer } = sources
  const { options, interaction, host } = context
  const asks = interaction.askChoice !== undefined || (options.askPolicy ?? settings.config.ask) === "wait"
  const loading: Promise<UsableProviders> = selected.load(settings)
  const [opened, { providers, unusable, problem }, configured] = await Promise.all([
    storage,
    options.isReport ? loading.catch(withoutProviders) : loading,
    engineOptions(settings, host, storage, { sandbox, asks, modules: plugins?.host.registry.modules }),
  ])
  const { titleModel: _, ...always } = configured.options
  const { model } = selected
  const adapted = { ...always, ...adaptedOptions(configured.options, { ...options, isSummarizer }, model) }
  const current = { ...adapted, providers, model }
  if (plugins) {
    plugins.host.environment.providers = providers
    plugins.engine.update(current)
  }
  return {
    engine: plugins?.engine ?? (await openEngine(current, { settings, storage }, context)),
    storage: opened,
    providers,
    problem,
    options: adapted,
    builtin: configured.builtin,
    shells: configured.shells,
    running: configured.running,
    notices: configured.notices,
    unusable,
  }
}

interface UsableProviders extends LoadedProviders {
  readonly problem?: string
}

function withoutProviders(error: unknown): UsableProviders {
  return { providers: [], problem: errorMessage(error) }
}

/** Applies the overrides of the runtime's options to options of the configuration. */
export function adaptedOptions(
  { titleModel, ...configured }: ChangingOptions,
  { isSummarizer = false, limits }: Pick<RuntimeOptions, "isSummarizer" | "limits">,
  model: ModelRef,
): ChangingOptions {
  // A scripted model must not lead to requests of another one.
  const titler = model.providerID === REPLAY ? false : titleModel
  return {
    ...configured,
    agents: (configured.agents ?? []).filter(({ name }) => !isSummarizer || name !== SUMMARIZER),
    ...(limits ? { limits: { ...configured.limits, ...limits } } : {}),
    ...(titler === undefined ? {} : { titleModel: titler }),
  }
}
