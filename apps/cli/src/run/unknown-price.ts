import type { ModelRef } from "@pawl/core"
import type { Config } from "@pawl/config"
import { addressOf } from "@pawl/provider-registry/address"
import { isHere } from "@pawl/provider-registry/connection"
import type { ConnectionSources } from "@pawl/provider-registry/connection-sources"
import { REPLAY } from "@pawl/provider-registry/replay"

/** Returns true if a model's price is unknown and it does not run on this machine. */
export function mayCost({ providerID, modelID }: ModelRef, sources: ConnectionSources): boolean {
  const { provider }: Pick<Config, "provider"> = sources.config
  if (providerID === REPLAY || provider?.[providerID]?.models?.[modelID]?.cost !== undefined) return false
  return !isHere(addressOf(providerID, sources)?.baseURL)
}
