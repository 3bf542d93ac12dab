import type { ConfigLayer } from "./merge.ts"

/**
 * Checks a value made by a program, in current keys, as a layer of its own. Substitutes nothing in it. Rejects with a
 * ConfigError that names the invalid keys.
 */
export async function checkedLayer(name: string, value: object): Promise<ConfigLayer> {
  const { readLayers } = await import("./read-layers.ts")
  const [layer] = await readLayers([{ kind: "overrides", name, label: name, value }], {
    ...{ directory: "/", env: {}, home: undefined },
  })
  return layer as ConfigLayer
}
