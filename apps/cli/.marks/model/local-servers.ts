import { openAICompatible } from "@pawl/provider-openai-compatible"
import { localPresets, type Preset } from "./presets.ts"

export interface LocalServer {
  readonly preset: Preset
  /** Model ids in the server's order; at least one. */
  readonly models: readonly string[]
}

/** The model servers of this machine that answer. Each is asked for its list, and for nothing else. */
export async function findLocalServers(): Promise<LocalServer[]> {
  const found = await Promise.all(localPresets.map(async (preset) => ({ preset, models: await modelsOf(preset) })))
  return found.filter(({ models }) => models.length > 0)
}

async function modelsOf({ id, baseURL }: Preset): Promise<string[]> {
  try {
    const models = await openAICompatible({ id, baseURL }).models()
    return models.map((model) => model.id)
  } catch {
    // Nothing there, or something else than a model server.
    return []
  }
}
