import type { AgentConfig, Config } from "@pawl/config"
import type { Layer } from "@pawl/config/layer"

/**
 * Keys that an untrusted project may set: they run no code, redirect no requests, and lift no setting of the user. Other keys
 * are removed.
 */
// Not `fallback`, which sends a conversation to others than the chosen model, nor `retry`, which makes for more requests.
const HARMLESS: ReadonlySet<string> = new Set([
  ...["$schema", "model", "small_model", "default_agent", "permission", "instructions", "agent", "command"],
  ...["tool_output", "compaction", "repetition", "title", "subagent_depth"],
  // These keys of a project are ignored, and reported elsewhere.
  ...["storage", "data"],
])

const HARMLESS_OF_AGENTS: ReadonlySet<string> = new Set([
  ...["description", "mode", "model", "prompt", "steps", "temperature", "top_p", "permission", "tools"],
  ...["hidden", "disable", "color", "variant", "worktree"],
])

/** Removes everything that needs trust from the layer of an untrusted project. Other layers are returned unchanged. */
export function withoutUntrusted(layer: Layer): Layer {
  if (!layer.isProject) return layer
  const [kept, withheld] = divided(layer.config, (key) => HARMLESS.has(key))
  const agents = Object.entries(layer.config.agent ?? {}).map(([name, agent]) => {
    return [name, dividedAgent(agent)] as const
  })
  const withheldAgents = agents.filter(([, [, without]]) => Object.keys(without).length > 0)
  const agent = Object.fromEntries(agents.map(([name, [own]]) => [name, own as AgentConfig]))
  const allWithheld: Partial<Config> = {
    ...withheld,
    ...(withheldAgents.length === 0
      ? {}
      : { agent: Object.fromEntries(withheldAgents.map(([name, [, without]]) => [name, without as AgentConfig])) }),
  }
  if (Object.keys(allWithheld).length === 0) return layer
  return { ...layer, config: { ...kept, ...(layer.config.agent ? { agent } : {}) }, withheld: allWithheld }
}

/** Splits an agent of an untrusted project into allowed and removed keys. */
export function dividedAgent(agent: AgentConfig): [kept: Partial<AgentConfig>, rest: Partial<AgentConfig>] {
  return divided(agent, (key) => HARMLESS_OF_AGENTS.has(key))
}

function divided<T extends object>(value: T, isKept: (key: string) => boolean): [kept: Partial<T>, rest: Partial<T>] {
  const entries = Object.entries(value)
  return [
    Object.fromEntries(entries.filter(([key]) => isKept(key))) as Partial<T>,
    Object.fromEntries(entries.filter(([key]) => !isKept(key))) as Partial<T>,
  ]
}
