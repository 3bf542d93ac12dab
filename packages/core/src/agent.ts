import { NotFoundError } from "./errors.ts"
import type { ModelRef, PermissionRule } from "./session/message.ts"

/** A way of working: its prompt, its model, what it may do. */
export interface Agent {
  readonly name: string
  readonly description?: string
  /** Absent: the engine's own prompt. */
  readonly prompt?: string
  /** Absent: the model of the user's message. */
  readonly model?: ModelRef
  /** The most steps of one run; absent: no limit. */
  readonly steps?: number
  readonly temperature?: number
  readonly topP?: number
  readonly permission?: readonly PermissionRule[]
  /** Who chooses it: the user, other agents, or both; absent: both. */
  readonly mode?: "primary" | "subagent" | "all"
  /** Works behind the scenes and is nobody's to choose. */
  readonly hidden?: boolean
  /** What its subagents may do although its own rules would not let it; what other rules say still holds for them. */
  readonly delegates?: readonly Delegation[]
}

export type Delegation = Pick<PermissionRule, "permission" | "pattern">

export const buildAgent: Agent = { name: "build", description: "Works on the repository with all tools." }

/** No rule can tell which commands only read, so a person is asked about each. */
export const planAgent: Agent = {
  name: "plan",
  description: "Reads and plans; changes nothing.",
  permission: [
    { permission: "edit", pattern: "*", action: "deny" },
    { permission: "write", pattern: "*", action: "deny" },
    { permission: "bash", pattern: "*", action: "ask" },
  ],
}

/** The agents that an engine has unless others replace them. */
export const builtinAgents: readonly Agent[] = [buildAgent, planAgent]

/** Throws NotFoundError, naming the agents there are. */
export function findAgent(agents: ReadonlyMap<string, Agent>, name: string): Agent {
  const agent = agents.get(name)
  if (!agent) throw new NotFoundError(`Agent "${name}" is not known. Known: ${[...agents.keys()].join(", ")}.`)
  return agent
}
