import type { ConfigLayer } from "./merge.ts"

/**
 * A value that was made by a program as a layer of its own, in the keys of today; nothing is substituted in it. Rejects
 * with a ConfigError for what is no configuration; its problems name the keys.
 */
export async function checkedLayer(name: string, value: object): Promise<ConfigLayer> {
  const { readLayers } = await import("./read-layers.ts")
  const [layer] = await readLayers([{ kind: "overrides", name, label: name, value }], {
    ...{ directory: "/", env: {}, home: undefined },
  })
  return layer as ConfigLayer
}
