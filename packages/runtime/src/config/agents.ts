import type { AgentConfig, Config } from "@pawl/config"
import { type Agent, buildAgent, builtinAgents, isFor } from "@pawl/core"
import { UsageError } from "@pawl/config/usage-error"
import { suggestion } from "@pawl/config/suggestion"
import { toModelRef } from "@pawl/provider-registry/model-ref"
import { type Layer, layerOf } from "@pawl/config/layer"

/** Agent that writes summaries. Users and other agents cannot select it. */
export const SUMMARIZER = "compaction"

/**
 * Returns the configured agents, without the configuration's permissions, which the scopes contain. A built-in agent keeps its
 * permissions and prompt unless the configuration replaces them. A disabled built-in agent cannot be selected.
 */
export function configuredAgents(configured: Readonly<Record<string, AgentConfig>> = {}): Agent[] {
  return Object.entries(configured).flatMap(([name, agent]): Agent[] => {
    const builtin = builtinAgents.find((each) => each.name === name)
    // The engine has its built-in agents in any case.
    if (agent.disable) return builtin ? [{ ...builtin, mode: "primary", hidden: true }] : []
    const model = agent.model === undefined ? undefined : toModelRef(agent.model)
    return [
      {
        ...(builtin ?? { name }),
        ...(agent.description === undefined ? {} : { description: agent.description }),
        ...(agent.prompt === undefined ? {} : { prompt: agent.prompt }),
        ...(model ? { model } : {}),
        ...(agent.variant === undefined ? {} : { variant: agent.variant }),
        ...(agent.steps === undefined ? {} : { steps: agent.steps }),
        ...(agent.temperature === undefined ? {} : { temperature: agent.temperature }),
        ...(agent.top_p === undefined ? {} : { topP: agent.top_p }),
        ...(agent.mode === undefined ? {} : { mode: agent.mode }),
        ...(agent.color === undefined ? {} : { color: agent.color }),
        ...(agent.hidden === undefined ? {} : { hidden: agent.hidden }),
        ...(agent.worktree === undefined ? {} : { ownDirectory: agent.worktree }),
        ...(agent.delegates === undefined ? {} : { delegates: agent.delegates }),
      },
    ]
  })
}

/** Returns all agents by name: the configured ones, and the built-in ones that they do not replace. */
export function allAgents(configured?: Readonly<Record<string, AgentConfig>>): ReadonlyMap<string, Agent> {
  return new Map([...builtinAgents, ...configuredAgents(configured)].map((agent) => [agent.name, agent]))
}

export interface AgentSources {
  readonly config: Pick<Config, "agent" | "default_agent">
  readonly layers: readonly Layer[]
}

/** A requested agent. `by` names the option or key that requests it, such as `--agent`. */
export interface ChosenAgent {
  readonly name: string
  readonly by: string
}

/**
 * Returns the agent of a new session: the requested one, the configured one, `build`, or the first one. Throws UsageError,
 * before anything is stored, for an agent that is unknown or that users cannot select.
 */
export function startAgent({ config, layers }: AgentSources, chosen?: ChosenAgent): string {
  const agents = allAgents(config.agent)
  const choices = [...agents.values()].filter((agent) => isFor(agent, "user")).map(({ name }) => name)
  const named = chosen?.name ?? config.default_agent
  if (named === undefined) {
    const first = choices.includes(buildAgent.name) ? buildAgent.name : choices[0]
    if (first !== undefined) return first
    throw new UsageError("Every agent is disabled or a subagent.", "Leave one for people to choose.")
  }
  if (choices.includes(named)) return named
  const source = layerOf(layers, (layer) => layer.default_agent)?.source
  const where = chosen ? `${chosen.by} is "${named}"` : `${source}: "default_agent" is "${named}"`
  throw new UsageError(`${where}, ${whyNot(agents.get(named), named, choices)} To choose from: ${choices.join(", ")}.`)
}

function whyNot(agent: Agent | undefined, name: string, choices: readonly string[]): string {
  if (agent && !agent.hidden)
    return `which is a subagent: it works for other agents. Name it in the prompt as @${name}.`
  if (agent) return "which cannot be chosen."
  const meant = suggestion(name, choices)
  return `and there is no such agent.${meant === undefined ? "" : ` Did you mean "${meant}"?`}`
}
