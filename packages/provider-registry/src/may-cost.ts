import type { ModelRef } from "@pawl/core"
import type { Config } from "@pawl/config"
import { addressOf } from "./address.ts"
import { isHere } from "./connection.ts"
import type { ConnectionSources } from "./connection-sources.ts"
import { REPLAY } from "./replay.ts"

/** Returns true if a model's price is unknown and it does not run on this machine. */
export function mayCost({ providerID, modelID }: ModelRef, sources: ConnectionSources): boolean {
  const { provider }: Pick<Config, "provider"> = sources.config
  if (providerID === REPLAY || provider?.[providerID]?.models?.[modelID]?.cost !== undefined) return false
  return !isHere(addressOf(providerID, sources)?.baseURL)
}
