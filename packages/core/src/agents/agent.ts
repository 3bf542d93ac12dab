import { NotFoundError, UnsuitableAgentError } from "../base/errors.ts"
import { explorePrompt } from "./explore-prompt.ts"
import { generalPrompt } from "./general-prompt.ts"
import { titlePrompt } from "./title-prompt.ts"
import type { ModelRef, PermissionRule } from "../record/message.ts"

/** A named configuration of prompt, model and permissions. */
export interface Agent {
  readonly name: string
  readonly description?: string
  /** Default: the engine's own prompt. */
  readonly prompt?: string
  /** Default: the model of the user's message. */
  readonly model?: ModelRef
  /** Default variant of the model. If the model lacks it: the nearest one. */
  readonly variant?: string
  /** Models that replace one that cannot answer, in order. Default: those of the engine's settings. */
  readonly fallback?: readonly ModelRef[]
  /** Maximum number of steps of one run. Default: no limit. */
  readonly steps?: number
  readonly temperature?: number
  readonly topP?: number
  readonly permission?: readonly PermissionRule[]
  /** Skips the questions of `permission` for calls that certainly change nothing. */
  readonly readsUnasked?: boolean
  /** Callers that may choose the agent: the user, other agents, or both. Default: `all`. */
  readonly mode?: "primary" | "subagent" | "all"
  /** Colour of its name in user interfaces, as written in the configuration. */
  readonly color?: string
  /** Set for an internal agent that users and agents cannot choose. */
  readonly hidden?: boolean
  /** Set if each of its sessions as a subagent works in a directory of its own, which the host supplies. */
  readonly ownDirectory?: boolean
  /** Permissions of its subagents beyond its own rules. All other rules still apply to them. */
  readonly delegates?: readonly Delegation[]
}

export type Delegation = Pick<PermissionRule, "permission" | "pattern">

const deny = (...permissions: string[]): PermissionRule[] => {
  return permissions.map((permission) => ({ permission, pattern: "*", action: "deny" }))
}

export const buildAgent: Agent = {
  name: "build",
  description: "Works on the repository with all tools.",
  mode: "primary",
}

/** Asks the user about each command that may change something. */
export const planAgent: Agent = {
  name: "plan",
  description: "Reads and plans; changes nothing.",
  mode: "primary",
  permission: [...deny("edit", "write"), { permission: "bash", pattern: "*", action: "ask" }],
  readsUnasked: true,
}

const generalAgent: Agent = {
  name: "general",
  description: "Carries out a task of several steps by itself. Several of them can work side by side.",
  mode: "subagent",
  prompt: generalPrompt,
}

/** The rules of the parent session decide about commands: no rule can tell which commands only read. */
const exploreAgent: Agent = {
  name: "explore",
  description: "Finds files, searches code and answers questions about the repository, quickly; changes nothing.",
  mode: "subagent",
  prompt: explorePrompt,
  permission: deny("edit", "write", "task", "todowrite"),
}

/** Agents that answer without tools. */
const hiddenAgents: readonly Agent[] = [
  { name: "compaction", hidden: true, mode: "primary", permission: deny("*") },
  { name: "title", hidden: true, mode: "primary", prompt: titlePrompt, temperature: 0.5, permission: deny("*") },
]

/** The agents that an engine has unless the caller replaces them. */
export const builtinAgents: readonly Agent[] = [buildAgent, planAgent, generalAgent, exploreAgent, ...hiddenAgents]

/**
 * The caller that chooses an agent: the user, an agent that delegates work, or a program that uses the engine, such as
 * a plugin.
 */
export type Chooser = "user" | "agent" | "program"

/** Returns whether the caller may choose the agent. Programs may choose any. */
export function isFor({ mode = "all", hidden = false }: Agent, chooser: Chooser): boolean {
  if (chooser === "program") return true
  return !hidden && mode !== (chooser === "user" ? "subagent" : "primary")
}

/** Returns the agent. Throws NotFoundError with the known names. */
export function findAgent(agents: ReadonlyMap<string, Agent>, name: string): Agent {
  const agent = agents.get(name)
  if (agent) return agent
  const known = [...agents.values()].filter(({ hidden }) => !hidden).map((each) => each.name)
  throw new NotFoundError(`Agent "${name}" is not known. Known: ${known.join(", ")}.`)
}

/**
 * Returns the agent. Throws NotFoundError if it is unknown, and UnsuitableAgentError if the caller may not choose it.
 */
export function chooseAgent(agents: ReadonlyMap<string, Agent>, name: string, chooser: Chooser): Agent {
  const agent = findAgent(agents, name)
  if (isFor(agent, chooser)) return agent
  const choices = [...agents.values()].filter((each) => isFor(each, chooser)).map((each) => each.name)
  throw new UnsuitableAgentError(name, unsuitable(agent, chooser), choices)
}

function unsuitable({ name, hidden }: Agent, chooser: Chooser): string {
  if (hidden) return `Agent "${name}" is internal and cannot be chosen.`
  if (chooser === "user")
    return `Agent "${name}" is a subagent: it works for other agents. Name it in the prompt as @${name}.`
  return `Agent "${name}" works for users: other agents cannot give it tasks.`
}
