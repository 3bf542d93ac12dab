import type { ModelInfo } from "@pawl/core/provider"
import { openAICompatible } from "@pawl/provider-openai-compatible"
import { presetAddress } from "./address.ts"
import { type Allowing, isEnabled } from "./allowed.ts"
import { localPresets, type Preset } from "./presets.ts"

export interface LocalServer {
  readonly preset: Preset
  /** In the server's order; at least one. */
  readonly models: readonly ModelInfo[]
}

export interface LocalSources {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly config: Allowing
}

/** Time limit for a server's answer. The user waits, and most servers do not run. */
const PROBE_TIMEOUT_MS = 300

/**
 * The model servers that answer on the usual ports of this machine, and where OLLAMA_HOST says. Each is asked for its
 * list, all at once, and for nothing else; of two that share an address the first counts.
 */
export async function findLocalServers({ environment, config }: LocalSources): Promise<LocalServer[]> {
  const all = localPresets
    .filter(({ id }) => isEnabled(id, config) && config.provider?.[id]?.options?.baseURL === undefined)
    .map((preset) => ({ preset, baseURL: presetAddress(preset, environment) }))
  const each = all.filter(({ baseURL }, at) => all.findIndex((other) => other.baseURL === baseURL) === at)
  const found = await Promise.all(
    each.map(async ({ preset, baseURL }) => ({ preset, models: await modelsOf(preset.id, baseURL) })),
  )
  return found.filter(({ models }) => models.length > 0)
}

async function modelsOf(id: string, baseURL: string): Promise<readonly ModelInfo[]> {
  try {
    // No proxy leads to this machine.
    return await openAICompatible({ id, baseURL, environment: {}, listTimeout: PROBE_TIMEOUT_MS }).models()
  } catch {
    // Nothing there, or something else than a model server.
    return []
  }
}
