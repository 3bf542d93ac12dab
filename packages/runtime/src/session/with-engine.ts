import type { Engine } from "@pawl/core"
import type { Storage } from "@pawl/core/storage"
import { createEngine } from "../create-engine.ts"

/** Does what is done with sessions between runs, through the engine: it keeps their rules. No model is asked. */
export async function withEngine<T>(storage: Storage, work: (engine: Engine) => Promise<T>): Promise<T> {
  await using engine = await createEngine({ storage, providers: [] })
  return await work(engine)
}
