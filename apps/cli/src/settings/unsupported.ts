import type { Config } from "@pawl/config"
import { UsageError } from "../arguments/usage-error.ts"
import type { Layer } from "./layer.ts"
import { layerOf } from "./layer.ts"

/** Throws UsageError where the configuration counts on what pawl cannot do; gives a sentence for what does no harm. */
export function checkSupport(layers: readonly Layer[]): string[] {
  const plugins = sourceOf(layers, "plugin")
  if (plugins !== undefined) {
    throw new UsageError(`${plugins}: "plugin" is not supported yet.`, `Remove it: nothing would come of it.`)
  }
  const source = sourceOf(layers, "small_model")
  return source === undefined ? [] : [`${source}: "small_model" is not supported yet and does nothing`]
}

function sourceOf(layers: readonly Layer[], key: keyof Config): string | undefined {
  return layerOf(layers, (config) => config[key])?.source
}
