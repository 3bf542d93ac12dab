import type { Config } from "@pawl/config"
import type { ModelRef } from "@pawl/core/provider"
import { UsageError } from "@pawl/config/usage-error"
import { isAllowed, isEnabled } from "./allowed.ts"
import { CUSTOM, toModelRef } from "./model-ref.ts"
import { type Preset, presets, setKeyVariable } from "./presets.ts"

/** Sources of the model choice. */
export interface ModelSources {
  /** Value of `--model`. */
  readonly flag?: string | undefined
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The model that the session was last asked with. */
  readonly session?: ModelRef | undefined
  /** Agent of the session. Default: `build`. */
  readonly agent?: string | undefined
  readonly config: Pick<Config, "model" | "agent" | "provider" | "enabled_providers" | "disabled_providers">
  /** Providers with saved credentials. */
  readonly kept?: ReadonlySet<string> | undefined
  /** An address is given besides, so that a model without a provider makes sense. */
  readonly hasAddress: boolean
}

/** The first that says anything: flag, `PAWL_MODEL`, session, the agent's configuration, the configuration, a key that is kept or in the environment. */
export function chooseModel(sources: ModelSources): ModelRef | undefined {
  const { flag, environment, session, agent = "build", config } = sources
  if (flag) return written(flag, "--model", sources)
  if (environment["PAWL_MODEL"]) return written(environment["PAWL_MODEL"], "PAWL_MODEL", sources)
  if (session) return session
  const configured = config.agent?.[agent]?.model ?? config.model
  if (configured) return toModelRef(configured)
  for (const { id: providerID, model: modelID } of presetsWithKey(sources)) {
    if (modelID !== undefined && isAllowed({ providerID, modelID }, sources.config)) return { providerID, modelID }
  }
  return undefined
}

/** The providers known by name that there is a key for, in the order in which they are asked. */
export function presetsWithKey({ environment, kept, config }: ModelSources): Preset[] {
  return presets.filter((preset) => {
    const { id, keyVariable } = preset
    const isKeyed = keyVariable !== undefined && (kept?.has(id) || setKeyVariable(preset, environment))
    return isKeyed && isEnabled(id, config)
  })
}

function written(text: string, source: string, { hasAddress }: ModelSources): ModelRef {
  const ref = toModelRef(text)
  if (ref) return ref
  if (hasAddress && !text.includes("/")) return { providerID: CUSTOM, modelID: text }
  const known = presets.map(({ id }) => id).join(", ")
  throw new UsageError(`invalid value "${text}" for ${source}: expected provider/model. Known providers: ${known}.`)
}
