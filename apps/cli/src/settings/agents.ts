import type { AgentConfig } from "@pawl/config"
import { type Agent, buildAgent } from "@pawl/core"
import { toModelRef } from "../model/model-ref.ts"

/** The configured agents, without what they may do: that is the scopes' business. */
export function configuredAgents(configured: Readonly<Record<string, AgentConfig>> = {}): Agent[] {
  return Object.entries(configured).map(([name, agent]): Agent => {
    const model = agent.model === undefined ? undefined : toModelRef(agent.model)
    return {
      ...(name === buildAgent.name ? buildAgent : { name }),
      ...(agent.description === undefined ? {} : { description: agent.description }),
      ...(agent.prompt === undefined ? {} : { prompt: agent.prompt }),
      ...(model ? { model } : {}),
      ...(agent.steps === undefined ? {} : { steps: agent.steps }),
      ...(agent.temperature === undefined ? {} : { temperature: agent.temperature }),
      ...(agent.top_p === undefined ? {} : { topP: agent.top_p }),
    }
  })
}
