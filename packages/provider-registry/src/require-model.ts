import { UsageError } from "@pawl/config/usage-error"
import type { ModelRef } from "@pawl/core/provider"
import { chooseModel, type ModelSources, presetsWithKey } from "./choose-model.ts"

/** Returns the error for a server that is named without a model. */
function noModelThere(): UsageError {
  return new UsageError(
    "No model is configured: --base-url and PAWL_BASE_URL name only a server. Name one of its models with -m <model>.",
    "What the server offers is usually listed at <base url>/models.",
  )
}

/** Returns the configured model. Throws UsageError with the shortest ways to configure a missing one. */
export async function requireModel(sources: ModelSources): Promise<ModelRef> {
  const chosen = chooseModel(sources)
  if (chosen) return chosen
  if (sources.hasAddress) throw noModelThere()
  const [{ findLocalServers }, { noModelError }] = await Promise.all([
    import("./local-servers.ts"),
    import("./no-model.ts"),
  ])
  throw noModelError(await findLocalServers(sources), presetsWithKey(sources))
}
