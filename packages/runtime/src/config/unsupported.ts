import { hasPort } from "./allow-private.ts"
import type { Layer } from "@pawl/config/layer"
import { layerOf } from "@pawl/config/layer"

/** A sentence for each thing that the configuration counts on, and that pawl cannot do. */
export function checkSupport(layers: readonly Layer[]): string[] {
  const ports = layerOf(layers, ({ webfetch }) => webfetch?.allow)?.config.webfetch?.allow?.filter(hasPort) ?? []
  return ports.map((entry) => {
    return `"webfetch.allow" names ${entry}: one port of a host cannot be allowed, and this does nothing. Name the host alone.`
  })
}
