import type { ToolSet } from "../tool-set/tool-set.ts"

type Tools = Pick<ToolSet, "definitions" | "originOf">

/**
 * Returns the plugins that offer or edit a changed tool definition. If the previous definitions are not known, as after
 * a restart, returns all plugins that edit a definition.
 */
export function blamedForTools(before: Tools | undefined, now: Tools): string[] {
  if (!before) return [...new Set(now.definitions.flatMap(({ name }) => now.originOf(name).editors))]
  const [old, current] = [textsOf(before), textsOf(now)]
  const names = [...new Set([...old.keys(), ...current.keys()])].filter((name) => old.get(name) !== current.get(name))
  const origins = names.flatMap((name) => [now.originOf(name), before.originOf(name)])
  return [...new Set(origins.flatMap(({ plugin, editors }) => [...(plugin === undefined ? [] : [plugin]), ...editors]))]
}

function textsOf({ definitions }: Tools): ReadonlyMap<string, string> {
  return new Map(definitions.map((definition) => [definition.name, JSON.stringify(definition)]))
}
