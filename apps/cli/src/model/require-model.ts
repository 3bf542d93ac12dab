import type { ModelRef } from "@pawl/core"
import { chooseModel, type ModelSources, presetsWithKey } from "./choose-model.ts"

/** The model to use. Throws UsageError with the shortest ways to one when nothing says which. */
export async function requireModel(sources: ModelSources): Promise<ModelRef> {
  const chosen = chooseModel(sources)
  if (chosen) return chosen
  const [{ findLocalServers }, { noModelError }] = await Promise.all([
    import("./local-servers.ts"),
    import("./no-model.ts"),
  ])
  throw noModelError(await findLocalServers(sources), presetsWithKey(sources))
}
