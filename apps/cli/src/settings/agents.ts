import type { AgentConfig } from "@pawl/config"
import { type Agent, buildAgent, type PermissionRule } from "@pawl/core"
import { toModelRef } from "../model/model-ref.ts"
import { permissionRules } from "./permission-rules.ts"

/** The built-in agent and the configured ones, each bound by `rules` besides its own. */
export function configuredAgents(
  configured: Readonly<Record<string, AgentConfig>> | undefined,
  rules: readonly PermissionRule[],
): Agent[] {
  const build: Agent = { ...buildAgent, permission: [...rules] }
  const others = Object.entries(configured ?? {}).map(([name, agent]): Agent => {
    const model = agent.model === undefined ? undefined : toModelRef(agent.model)
    return {
      ...(name === buildAgent.name ? buildAgent : { name }),
      ...(agent.description === undefined ? {} : { description: agent.description }),
      ...(agent.prompt === undefined ? {} : { prompt: agent.prompt }),
      ...(model ? { model } : {}),
      ...(agent.steps === undefined ? {} : { steps: agent.steps }),
      ...(agent.temperature === undefined ? {} : { temperature: agent.temperature }),
      ...(agent.top_p === undefined ? {} : { topP: agent.top_p }),
      permission: [...permissionRules(agent.permission), ...rules],
    }
  })
  return [build, ...others]
}
