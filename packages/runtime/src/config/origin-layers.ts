import { type AgentConfig, type Config, readConfig } from "@pawl/config"
import type { Layer } from "@pawl/config/layer"
import type { ContentLocation } from "@pawl/trust/project-content"

/**
 * Returns layers with the permission rules of the directory from which a worktree was created, as they are there now: rules
 * that were not committed hold in the worktree too. Empty outside of such a worktree, and for rules that the worktree has.
 */
export async function originLayers(
  origin: ContentLocation | undefined,
  applied: readonly Layer[],
  { env, home }: { readonly env: Readonly<Record<string, string | undefined>>; readonly home: string | undefined },
): Promise<Layer[]> {
  if (origin === undefined) return []
  const { layers } = await readConfig({ ...origin, env, home, substitute: { project: false } })
  const own = new Set(applied.map(({ config }) => JSON.stringify(rulesOf(config))))
  return layers.flatMap((layer): Layer[] => {
    const config = rulesOf(layer.config)
    if (layer.kind !== "project" || own.has(JSON.stringify(config))) return []
    return Object.keys(config).length === 0 ? [] : [{ ...layer, config, isProject: true }]
  })
}

/** Returns the permission rules of a configuration, for all agents and for each. */
function rulesOf({ permission, agent = {} }: Config): Config {
  const agents = Object.entries(agent).flatMap(([name, { permission: rules }]): [string, AgentConfig][] => {
    return rules === undefined ? [] : [[name, { permission: rules }]]
  })
  return {
    ...(permission === undefined ? {} : { permission }),
    ...(agents.length === 0 ? {} : { agent: Object.fromEntries(agents) }),
  }
}
