import { without } from "./without.ts"

/** Keys with the same meaning in pawl's and OpenCode's configuration. All others are left out. */
export const sharedKeys: readonly string[] = [
  "$schema",
  "model",
  "small_model",
  "default_agent",
  "agent",
  "command",
  "compaction",
  "formatter",
  "instructions",
  "mcp",
  "permission",
  "plugin",
  "provider",
  "shell",
  "skills",
  "subagent_depth",
  "tool_output",
]

const OWN_COMPACTION = ["soft", "cache_ttl_ms", "models"]
const OWN_AGENT = ["delegates", "worktree"]

type Fields = Readonly<Record<string, unknown>>

/** Converts a configuration to OpenCode's form. Returns a deep copy. */
export function openCodeConfig(config: object): Record<string, unknown> {
  const given = structuredClone(config) as Fields
  const shared = Object.entries(given).filter(([key]) => sharedKeys.includes(key))
  return Object.fromEntries(shared.map(([key, value]) => [key, shown(key, value)]))
}

function shown(key: string, value: unknown): unknown {
  if (key === "permission") return rules(value)
  if (typeof value !== "object" || value === null) return value
  if (key === "compaction") return without(value, OWN_COMPACTION)
  if (key !== "agent") return value
  return Object.fromEntries(
    Object.entries(value).map(([name, agent]) => {
      return [name, typeof agent === "object" && agent !== null ? shownAgent(agent as Fields) : agent]
    }),
  )
}

function shownAgent(agent: Fields): Fields {
  const { permission } = agent
  return { ...without(agent, OWN_AGENT), ...(permission === undefined ? {} : { permission: rules(permission) }) }
}

/** Plugins expect an object also if one action applies to everything. */
function rules(permission: unknown): unknown {
  return typeof permission === "string" ? { "*": permission } : permission
}

/** Converts the formatters of a configuration to OpenCode's form. */
export function openCodeFormatters(config: object) {
  const { formatter } = config as { readonly formatter?: unknown }
  const table = typeof formatter === "object" && formatter !== null ? (formatter as Fields) : {}
  return Object.entries(table).map(([name, written]) => {
    const { extensions = [], disabled = false } = written as { extensions?: string[]; disabled?: boolean }
    return { name, extensions, enabled: !disabled }
  })
}
