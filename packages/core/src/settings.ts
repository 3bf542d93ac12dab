import { type Agent, builtinAgents } from "./agents/agent.ts"
import type { PermissionScope } from "./permission/rules.ts"
import { createModelFinder } from "./find-model.ts"
import type { Model, Provider } from "./contracts/model.ts"
import type { RunLimits } from "./budget/limits.ts"
import type { ModelRef } from "./record/message.ts"
import type { Tool } from "./contracts/tool.ts"

/** What may change while sessions run. */
export interface EngineSettings {
  readonly providers: readonly Provider[]
  readonly tools?: readonly Tool[]
  /** `false` keeps a tool from a model: some take one form of a tool better than another. */
  readonly toolSwitches?: (model: ModelRef) => Readonly<Record<string, boolean>>
  /** Added to the built-in agents, or replacing those of the same name. */
  readonly agents?: readonly Agent[]
  /** Rules from the configuration, a scope for each source: a `deny` of any scope holds, else the last that speaks. */
  readonly permission?: readonly PermissionScope[]
  /** The model of prompts that name none. */
  readonly model?: ModelRef
  /**
   * Models that take the place of one that cannot answer, in their order: when its quota is spent, its key is refused, or
   * all attempts are in vain. Each prompt begins with its own model again.
   */
  readonly fallback?: readonly ModelRef[]
  /** Instructions besides the project's own, in their order: absolute paths of files, and http(s) addresses. */
  readonly instructionFiles?: readonly string[]
  /** For each run, limit by limit, where its prompt names none. One under way keeps those that it began with. */
  readonly limits?: RunLimits
  /**
   * Names new sessions, beside the answer to their first prompt; absent: the model of the agent `title`, and where that
   * has none either, what a hook `provider.small_model` gives; else a session is called by the first line of its first prompt.
   * `false`: no model is asked, and no hook.
   */
  readonly titleModel?: ModelRef | false
}

/** The settings as the parts of the engine read them: each time, as they may change. */
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
  readonly findModel: (ref: ModelRef) => Promise<Model>
  /** Grows with each change. */
  readonly settingsVersion: () => number
}

export interface LiveSettings {
  readonly settings: Settings
  /** What is not named stays; what is `undefined` is as if it had never been given. */
  readonly update: (changes: { readonly [K in keyof EngineSettings]?: EngineSettings[K] | undefined }) => void
}

/** `deadline`: milliseconds that a provider may take to give a model; 0: no limit. */
export function createSettings(given: EngineSettings, deadline: number): LiveSettings {
  let version = 0
  let current = given
  let agents = agentsOf(given)
  let findModel = createModelFinder(given.providers, deadline)
  const none: readonly never[] = []
  const noLimits: RunLimits = {}
  const noSwitches = () => ({})
  return {
    settings: {
      get tools() {
        return current.tools ?? none
      },
      get toolSwitches() {
        return current.toolSwitches ?? noSwitches
      },
      get agents() {
        return agents
      },
      get permission() {
        return current.permission ?? none
      },
      get model() {
        return current.model
      },
      get fallback() {
        return current.fallback ?? none
      },
      get instructionFiles() {
        return current.instructionFiles ?? none
      },
      get limits() {
        return current.limits ?? noLimits
      },
      get titleModel() {
        return current.titleModel
      },
      findModel: (ref) => findModel(ref),
      settingsVersion: () => version,
    },
    update(changes) {
      const { providers = current.providers } = changes
      const next = { ...current, ...(changes as Partial<EngineSettings>), providers }
      // What cannot be read throws before anything has changed.
      const nextAgents = next.agents === current.agents ? agents : agentsOf(next)
      if (providers !== current.providers) findModel = createModelFinder(providers, deadline)
      agents = nextAgents
      current = next
      version++
    },
  }
}

function agentsOf({ agents = [] }: EngineSettings): ReadonlyMap<string, Agent> {
  return new Map([...builtinAgents, ...agents].map((agent) => [agent.name, agent]))
}
