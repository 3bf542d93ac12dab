import { UsageError } from "../arguments/usage-error.ts"
import { hasPort } from "./allow-private.ts"
import type { Layer } from "./layer.ts"
import { layerOf } from "./layer.ts"

/** Throws UsageError where the configuration counts on what pawl cannot do; gives a sentence for what does no harm. */
export function checkSupport(layers: readonly Layer[]): string[] {
  const plugins = layerOf(layers, ({ plugin }) => plugin)?.source
  if (plugins !== undefined) {
    throw new UsageError(`${plugins}: "plugin" is not supported yet.`, `Remove it: nothing would come of it.`)
  }
  const ports = layerOf(layers, ({ webfetch }) => webfetch?.allow)?.config.webfetch?.allow?.filter(hasPort) ?? []
  return ports.map((entry) => {
    return `"webfetch.allow" names ${entry}: one port of a host cannot be allowed, and this does nothing. Name the host alone.`
  })
}
