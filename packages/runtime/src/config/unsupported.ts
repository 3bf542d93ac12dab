import { hasPort } from "./allow-private.ts"
import type { Layer } from "@pawl/config/layer"
import { layerOf } from "@pawl/config/layer"

/** Returns a notice for each configured value that pawl does not support. */
export function checkSupport(layers: readonly Layer[]): string[] {
  const ports = layerOf(layers, ({ webfetch }) => webfetch?.allow)?.config.webfetch?.allow?.filter(hasPort) ?? []
  return ports.map((entry) => {
    return `"webfetch.allow" names ${entry}: one port of a host cannot be allowed, and this does nothing. Name the host alone.`
  })
}
