import type { Engine } from "@pawl/core"
import type { FileHistory } from "@pawl/core/host"
import type { Storage } from "@pawl/core/storage"
import { createEngine } from "../create-engine.ts"

/** Changes sessions outside of a run through an engine, which checks the changes. Makes no model requests. */
export async function withEngine<T>(
  storage: Storage,
  work: (engine: Engine) => Promise<T>,
  options: { readonly fileHistory?: FileHistory } = {},
): Promise<T> {
  await using engine = await createEngine({ storage, providers: [], ...options })
  return await work(engine)
}
