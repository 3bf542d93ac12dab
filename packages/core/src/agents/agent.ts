import { NotFoundError, UnsuitableAgentError } from "../base/errors.ts"
import { explorePrompt } from "./explore-prompt.ts"
import { generalPrompt } from "./general-prompt.ts"
import { titlePrompt } from "./title-prompt.ts"
import type { ModelRef, PermissionRule } from "../record/message.ts"

/** A way of working: its prompt, its model, what it may do. */
export interface Agent {
  readonly name: string
  readonly description?: string
  /** Absent: the engine's own prompt. */
  readonly prompt?: string
  /** Absent: the model of the user's message. */
  readonly model?: ModelRef
  /** Of the model, where nobody chooses another; of a model that lacks it the nearest. */
  readonly variant?: string
  /** Models that take the place of one that cannot answer, in their order; absent: those of the engine's settings. */
  readonly fallback?: readonly ModelRef[]
  /** The most steps of one run; absent: no limit. */
  readonly steps?: number
  readonly temperature?: number
  readonly topP?: number
  readonly permission?: readonly PermissionRule[]
  /** What `permission` asks for is not asked if it surely changes nothing. */
  readonly readsUnasked?: boolean
  /** Who chooses it: the user, other agents, or both; absent: both. */
  readonly mode?: "primary" | "subagent" | "all"
  /** In which people see its name, as it is written in the configuration. */
  readonly color?: string
  /** Works behind the scenes and is nobody's to choose. */
  readonly hidden?: boolean
  /** What its subagents may do although its own rules would not let it; what other rules say still holds for them. */
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

/** A person is asked about each command that may change something. */
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

/** Whether it may run commands is the rules' of the session above: no rule can tell which of them only read. */
const exploreAgent: Agent = {
  name: "explore",
  description: "Finds files, searches code and answers questions about the repository, quickly; changes nothing.",
  mode: "subagent",
  prompt: explorePrompt,
  permission: deny("edit", "write", "task", "todowrite"),
}

/** They answer without tools. */
const hiddenAgents: readonly Agent[] = [
  { name: "compaction", hidden: true, mode: "primary", permission: deny("*") },
  { name: "title", hidden: true, mode: "primary", prompt: titlePrompt, temperature: 0.5, permission: deny("*") },
]

/** The agents that an engine has unless others replace them. */
export const builtinAgents: readonly Agent[] = [buildAgent, planAgent, generalAgent, exploreAgent, ...hiddenAgents]

/** Who chooses an agent: a person, an agent that hands work over, or a program that uses the engine, such as a plugin. */
export type Chooser = "user" | "agent" | "program"

/** Whether it is theirs to choose. Programs choose any. */
export function isFor({ mode = "all", hidden = false }: Agent, chooser: Chooser): boolean {
  if (chooser === "program") return true
  return !hidden && mode !== (chooser === "user" ? "subagent" : "primary")
}

/** Throws NotFoundError, naming the agents there are. */
export function findAgent(agents: ReadonlyMap<string, Agent>, name: string): Agent {
  const agent = agents.get(name)
  if (agent) return agent
  const known = [...agents.values()].filter(({ hidden }) => !hidden).map((each) => each.name)
  throw new NotFoundError(`Agent "${name}" is not known. Known: ${known.join(", ")}.`)
}

/** Throws NotFoundError for an unknown agent, and UnsuitableAgentError for one that is not theirs to choose. */
export function chooseAgent(agents: ReadonlyMap<string, Agent>, name: string, chooser: Chooser): Agent {
  const agent = findAgent(agents, name)
  if (isFor(agent, chooser)) return agent
  const choices = [...agents.values()].filter((each) => isFor(each, chooser)).map((each) => each.name)
  throw new UnsuitableAgentError(name, unsuitable(agent, chooser), choices)
}

function unsuitable({ name, hidden }: Agent, chooser: Chooser): string {
  if (hidden) return `Agent "${name}" works behind the scenes and cannot be chosen.`
  if (chooser === "user")
    return `Agent "${name}" is a subagent: it works for other agents. Name it in the prompt as @${name}.`
  return `Agent "${name}" talks to people and takes no tasks from other agents.`
}
