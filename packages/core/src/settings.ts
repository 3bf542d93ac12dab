import { type Agent, builtinAgents } from "./agents/agent.ts"
import type { PermissionScope } from "./permission/rules.ts"
import { within } from "./base/deadlines.ts"
import { NotFoundError, ProviderError } from "./base/errors.ts"
import type { Model, Provider } from "./contracts/model.ts"
import type { RunLimits } from "./budget/limits.ts"
import type { ModelRef } from "./record/message.ts"
import type { Tool } from "./contracts/tool.ts"

/** Settings that may change while sessions run. */
export interface EngineSettings {
  readonly providers: readonly Provider[]
  readonly tools?: readonly Tool[]
  /**
   * Returns switches by tool name: `false` withholds a tool from the model. Some models handle one form of a tool
   * better.
   */
  readonly toolSwitches?: (model: ModelRef) => Readonly<Record<string, boolean>>
  /** Agents that are added to the built-in ones; an agent replaces a built-in one of the same name. */
  readonly agents?: readonly Agent[]
  /**
   * Rules from the configuration, one scope for each source. A `deny` of any scope wins, else the last matching scope.
   */
  readonly permission?: readonly PermissionScope[]
  /** The model of prompts without a model. */
  readonly model?: ModelRef
  /**
   * Models that replace one that cannot answer, in this order: its quota is spent, its key is refused, or all attempts
   * failed. Each prompt begins with its own model again.
   */
  readonly fallback?: readonly ModelRef[]
  /** Instructions in addition to the project's own, in this order: absolute paths of files, and http(s) addresses. */
  readonly instructionFiles?: readonly string[]
  /** Default for each limit that a prompt does not set. A running run keeps the limits that it began with. */
  readonly limits?: RunLimits
  /**
   * The model that names new sessions, while their first prompt is answered. Default: the model of the agent `title`,
   * else the model from a hook `provider.small_model`, else no model: the title is the first line of the first prompt.
   * `false`: asks no model and no hook.
   */
  readonly titleModel?: ModelRef | false
}

/** The settings at one time. They never change: a part that outlives a step takes them again at each use. */
export interface Settings {
  readonly tools: readonly Tool[]
  readonly toolSwitches: (model: ModelRef) => Readonly<Record<string, boolean>>
  readonly agents: ReadonlyMap<string, Agent>
  readonly permission: readonly PermissionScope[]
  readonly model: ModelRef | undefined
  readonly fallback: readonly ModelRef[]
  readonly instructionFiles: readonly string[]
  readonly limits: RunLimits
  readonly titleModel: ModelRef | false | undefined
  /** Grows with each change. */
  readonly version: number
}

export interface LiveSettings {
  /** Returns the settings as they are now. */
  readonly settings: () => Settings
  /** Makes a model with the providers as they are now. */
  readonly findModel: (ref: ModelRef) => Promise<Model>
  /** Replaces the named settings. A setting that is `undefined` gets its default; other settings stay. */
  readonly update: (changes: { readonly [K in keyof EngineSettings]?: EngineSettings[K] | undefined }) => void
}

/** Creates the settings. `deadline`: milliseconds that a provider may take to give a model; 0: no limit. */
export function createSettings(options: EngineSettings, deadline: number): LiveSettings {
  let current = options
  let settings = settled(options, agentsOf(options), 0)
  let findModel = createModelFinder(options.providers, deadline)
  return {
    settings: () => settings,
    findModel: (ref) => findModel(ref),
    update(changes) {
      const { providers = current.providers } = changes
      const next = { ...current, ...(changes as Partial<EngineSettings>), providers }
      // Invalid agents throw before anything has changed.
      const agents = next.agents === current.agents ? settings.agents : agentsOf(next)
      if (providers !== current.providers) findModel = createModelFinder(providers, deadline)
      settings = settled(next, agents, settings.version + 1)
      current = next
    },
  }
}

/**
 * Returns a function that makes each model once. It rejects with NotFoundError for an unknown provider, and with
 * ProviderError if the provider takes longer than `deadline` milliseconds. 0: no limit.
 */
function createModelFinder(providers: readonly Provider[], deadline: number): (ref: ModelRef) => Promise<Model> {
  const models = new Map<string, Promise<Model>>()
  return ({ providerID, modelID }) => {
    const key = `${providerID}/${modelID}`
    const known = models.get(key)
    if (known) return known
    const provider = providers.find(({ id }) => id === providerID)
    if (!provider) {
      const names = providers.map(({ id }) => id).join(", ") || "none"
      return Promise.reject(new NotFoundError(`Provider "${providerID}" is not known. Known: ${names}.`))
    }
    const late = () =>
      new ProviderError("transient", `Provider "${providerID}" did not give "${modelID}" within ${deadline / 1000} s.`)
    const model = within(deadline, provider.model(modelID), late)
    models.set(key, model)
    // A model that could not be made may be available at the next attempt.
    model.catch(() => models.delete(key))
    return model
  }
}

const none: readonly never[] = []
const noSwitches = () => ({})

/** Fills in the defaults. */
function settled(options: EngineSettings, agents: Settings["agents"], version: number): Settings {
  return {
    tools: options.tools ?? none,
    toolSwitches: options.toolSwitches ?? noSwitches,
    agents,
    permission: options.permission ?? none,
    model: options.model,
    fallback: options.fallback ?? none,
    instructionFiles: options.instructionFiles ?? none,
    limits: options.limits ?? {},
    titleModel: options.titleModel,
    version,
  }
}

function agentsOf({ agents = [] }: EngineSettings): ReadonlyMap<string, Agent> {
  return new Map([...builtinAgents, ...agents].map((agent) => [agent.name, agent]))
}
