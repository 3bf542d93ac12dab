import type { KeyPath } from "./key-path.ts"
import { KeyMoves } from "./key-moves.ts"
import type { AgentConfig, Config, DelegationConfig, WrittenAgent, WrittenConfig } from "./schema.ts"
import { switchedTools } from "./tool-switches.ts"

/** Maps a path of the converted value to its path in the original value. */
type WrittenAt = (path: KeyPath) => KeyPath

/**
 * Converts deprecated keys to current ones: `mode` to agents, `tools` to permissions, `maxSteps` to `steps`, and
 * `delegates` to a list.
 */
export function renewConfig(written: WrittenConfig): { config: Config; writtenAt: WrittenAt } {
  const moves = new KeyMoves()
  const { mode, tools, agent, permission, ...rest } = written
  const config: Config = { ...rest, ...permissionOf({ permission, tools }, { from: [], to: [] }, moves) }
  if (mode !== undefined || agent !== undefined) {
    const agents = new Map<string, AgentConfig>()
    for (const [name, each] of Object.entries(mode ?? {})) {
      agents.set(name, { mode: "primary", ...renewed(each, { from: ["mode", name], to: ["agent", name] }, moves) })
    }
    for (const [name, each] of Object.entries(agent ?? {})) {
      agents.set(name, {
        ...agents.get(name),
        ...renewed(each, { from: ["agent", name], to: ["agent", name] }, moves),
      })
    }
    config.agent = Object.fromEntries(agents)
  }
  return { config, writtenAt: (path) => moves.writtenAt(path) }
}

/** Like `renewConfig`, for a single agent. */
export function renewAgent(written: WrittenAgent): { agent: AgentConfig; writtenAt: WrittenAt } {
  const moves = new KeyMoves()
  const agent = renewed(written, { from: [], to: [] }, moves)
  return { agent, writtenAt: (path) => moves.writtenAt(path) }
}

interface Places {
  from: KeyPath
  to: KeyPath
}

function renewed(written: WrittenAgent, { from, to }: Places, moves: KeyMoves): AgentConfig {
  moves.add(to, from)
  for (const key of Object.keys(written)) moves.add([...to, key], [...from, key])
  const { tools, maxSteps, delegates, permission, ...rest } = written
  if (rest.steps === undefined && maxSteps !== undefined) moves.add([...to, "steps"], [...from, "maxSteps"])
  return {
    ...(maxSteps === undefined ? {} : { steps: maxSteps }),
    ...rest,
    ...(delegates === undefined ? {} : { delegates: delegationList(delegates) }),
    ...permissionOf({ permission, tools }, { from, to }, moves),
  }
}

/**
 * Appends rules of `permission` to those of `tools`, and patterns after both. An action for `*` that is first stays
 * first, so that it does not enable tools that are switched off.
 */
function permissionOf(
  {
    permission,
    tools,
  }: { permission: WrittenAgent["permission"] | undefined; tools: WrittenAgent["tools"] | undefined },
  { from, to }: Places,
  moves: KeyMoves,
): Pick<Config, "permission"> {
  if (tools === undefined) return permission === undefined ? {} : { permission }
  const { rules, switches } = switchedTools(tools)
  for (const [name, tool] of switches) moves.add([...to, "permission", name], [...from, "tools", tool])
  if (permission === undefined) return { permission: rules }
  if (typeof permission === "string") {
    if (rules["*"] === undefined) moves.add([...to, "permission", "*"], [...from, "permission"])
    return { permission: { "*": permission, ...rules } }
  }
  const merged = new Map<string, (typeof permission)[string]>()
  const [first] = Object.keys(permission)
  if (first === "*" && permission[first] !== undefined) merged.set(first, permission[first])
  for (const [name, action] of Object.entries(rules)) if (!merged.has(name)) merged.set(name, action)
  for (const [name, said] of Object.entries(permission)) {
    const below = merged.get(name)
    const isBase = typeof said === "object" && typeof below === "string" && said["*"] === undefined
    const tool = switches.get(name)
    if (isBase && tool !== undefined) moves.add([...to, "permission", name, "*"], [...from, "tools", tool])
    moves.add([...to, "permission", name], [...from, "permission", name])
    merged.set(name, isBase ? { "*": below, ...said } : said)
  }
  return { permission: Object.fromEntries(merged) }
}

function delegationList(written: NonNullable<WrittenAgent["delegates"]>): DelegationConfig[] {
  if (Array.isArray(written)) return written.map(({ permission, pattern = "*" }) => ({ permission, pattern }))
  return Object.entries(written).flatMap(([permission, patterns]) =>
    [patterns].flat().map((pattern) => ({ permission, pattern })),
  )
}
