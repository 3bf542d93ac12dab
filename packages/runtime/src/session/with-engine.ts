import type { Engine } from "@pawl/core"
import type { Storage } from "@pawl/core/storage"
import { createEngine } from "../create-engine.ts"

/** Changes sessions outside of a run through an engine, which checks the changes. Makes no model requests. */
export async function withEngine<T>(storage: Storage, work: (engine: Engine) => Promise<T>): Promise<T> {
  await using engine = await createEngine({ storage, providers: [] })
  return await work(engine)
}
