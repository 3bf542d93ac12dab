import { sharedKeys } from "@pawl/server"
import { agentConfig } from "./agent-config.ts"
import { commandConfig } from "./command-config.ts"
import { toolRules } from "./tool-rules.ts"

type Fields = Record<string, unknown>

/**
 * Applies a plugin's changes of OpenCode's configuration to pawl's. Returns the paths of unknown keys, which are left
 * out.
 */
export function applyConfig(draft: Fields, before: Readonly<Fields>, after: Readonly<Fields>): string[] {
  const unknown: string[] = []
  const changed = Object.keys(after).filter((key) => JSON.stringify(after[key]) !== JSON.stringify(before[key]))
  for (const key of Object.keys(before)) if (after[key] === undefined) delete draft[key]
  for (const key of changed) {
    const value = after[key]
    if (value === undefined) continue
    if (key === "agent") draft["agent"] = agents(record(draft["agent"]), value, unknown)
    else if (key === "mode") continue
    else if (key === "command") draft["command"] = commands(value, unknown)
    else if (key === "tools") draft["permission"] = withTools(draft["permission"], value)
    else if (key === "compaction") draft["compaction"] = { ...record(draft["compaction"]), ...record(value) }
    else if (sharedKeys.includes(key)) draft[key] = value
    else unknown.push(key)
  }
  // After the agents, which replace all earlier agents.
  if (after["mode"] !== undefined) draft["agent"] = modes(record(draft["agent"]), after["mode"], unknown)
  return unknown
}

function agents(known: Readonly<Fields>, value: unknown, unknown: string[]): Fields {
  return Object.fromEntries(
    Object.entries(record(value)).flatMap(([name, given]) => {
      if (typeof given !== "object" || given === null) return []
      const { agent, left } = agentConfig(record(given), record(known[name]))
      unknown.push(...left.map((field) => `agent.${name}.${field}`))
      return [[name, agent]]
    }),
  )
}

/** `mode` is the former name of primary agents. */
function modes(known: Readonly<Fields>, value: unknown, unknown: string[]): Fields {
  const primary = Object.entries(record(value)).map(([name, given]) => [name, { mode: "primary", ...record(given) }])
  return { ...known, ...agents(known, Object.fromEntries(primary), unknown) }
}

function commands(value: unknown, unknown: string[]): Fields {
  return Object.fromEntries(
    Object.entries(record(value)).flatMap(([name, given]) => {
      const { command, left } = commandConfig(record(given))
      unknown.push(...left.map((field) => `command.${name}.${field}`))
      return command ? [[name, command]] : []
    }),
  )
}

function withTools(permission: unknown, tools: unknown): unknown {
  const rules = typeof permission === "string" ? { "*": permission } : record(permission)
  return { ...toolRules(record(tools)), ...rules }
}

export function record(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}
