import type { Config } from "@pawl/config"
import type { ModelRef } from "@pawl/core/provider"
import { UsageError } from "@pawl/config/usage-error"
import { CUSTOM, formatModelRef } from "./model-ref.ts"
import { REPLAY } from "./replay.ts"

/** Configuration of the providers and models that may be used. */
export type Allowing = Pick<Config, "provider" | "enabled_providers" | "disabled_providers">

/** Returns true if a provider may be used. A provider that is selected for one run may be used. */
export function isEnabled(
  id: string,
  { enabled_providers: enabled, disabled_providers: disabled = [] }: Allowing,
): boolean {
  if (id === REPLAY || id === CUSTOM) return true
  return !disabled.includes(id) && (enabled?.includes(id) ?? true)
}

export function isAllowed({ providerID, modelID }: ModelRef, config: Allowing): boolean {
  const { whitelist, blacklist = [] } = config.provider?.[providerID] ?? {}
  return isEnabled(providerID, config) && !blacklist.includes(modelID) && (whitelist?.includes(modelID) ?? true)
}

/** Throws UsageError with the key that forbids a model. */
export function requireAllowed(ref: ModelRef, config: Allowing): void {
  const { providerID, modelID } = ref
  if (isAllowed(ref, config)) return
  if (!isEnabled(providerID, config)) {
    const key = config.disabled_providers?.includes(providerID) ? "disabled_providers" : "enabled_providers"
    throw new UsageError(
      `Provider "${providerID}" is switched off by "${key}".`,
      "Which file says so: pawl config show --origin",
    )
  }
  const { whitelist, blacklist = [] } = config.provider?.[providerID] ?? {}
  const others = whitelist?.filter((id) => !blacklist.includes(id)) ?? []
  const key = blacklist.includes(modelID) ? "blacklist" : "whitelist"
  throw new UsageError(
    `Model "${formatModelRef(ref)}" may not be used, by provider.${providerID}.${key}.` +
      (others.length > 0 ? ` Those that may: ${others.join(", ")}.` : ""),
  )
}
