import { ConfigError } from "./config-error.ts"
import { mergeLayers } from "./merge.ts"
import type { LoadedConfig, ReadConfigOptions } from "./read-config.ts"
import { readLayer } from "./read-layer.ts"
import type { Source } from "./source.ts"

/** Reads every source before it complains, so that one run shows all there is to correct. */
export async function readLayers(sources: readonly Source[], options: ReadConfigOptions): Promise<LoadedConfig> {
  const layers = await Promise.all(sources.map((source) => readLayer(source, options)))
  const [first, ...others] = layers.flatMap(({ problems }) => problems)
  if (first !== undefined) throw new ConfigError([first, ...others])
  return { ...mergeLayers(layers), sources: layers.map(({ name }) => name) }
}
