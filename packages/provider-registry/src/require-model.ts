import { UsageError } from "@pawl/config/usage-error"
import type { ModelRef } from "@pawl/core/provider"
import { chooseModel, type ModelSources, presetsWithKey } from "./choose-model.ts"

/** An address says where models are, and not which one to use. */
function noModelThere(): UsageError {
  return new UsageError(
    "No model is chosen: --base-url or PAWL_BASE_URL says only where it is. Name a model of that server with -m <model>.",
    "What the server offers is usually listed at <base url>/models.",
  )
}

/** The model to use. Throws UsageError with the shortest ways to one when nothing says which. */
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
