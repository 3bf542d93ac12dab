import { resolve } from "node:path"
import { type AgentDefinition, type Config, permissionRules } from "@pawl/config"
import type { PermissionScope } from "@pawl/core/permission"
import type { Layer } from "@pawl/config/layer"

/**
 * Returns a scope for each layer's rules, so that no layer can lift a deny of another one. The more specific rules for one
 * agent follow those for all; rules of the agent's file precede those of the configuration. A project's rules only tighten:
 * they lift neither an ask of another layer nor one of the engine.
 */
export function permissionScopes(layers: readonly Layer[], agents: readonly AgentDefinition[] = []): PermissionScope[] {
  const delegating = delegatingAgents(layers, agents)
  return allScopes(layers, agents).map((scope) => {
    const isOwn = scope.agent !== undefined && !scope.onlyTightens && delegating.has(scope.agent)
    return isOwn ? { ...scope, isAgentsOwn: true } : scope
  })
}

/** Returns the agents for which the user has set the permissions of subagents. A project cannot lift the user's rules. */
function delegatingAgents(layers: readonly Layer[], agents: readonly AgentDefinition[]): ReadonlySet<string> {
  const written = layers.flatMap(({ config, isProject }) => {
    return isProject ? [] : Object.entries(config.agent ?? {}).filter(([, { delegates }]) => delegates !== undefined)
  })
  const files = agents.filter(({ isProject, config }) => !isProject && config.delegates !== undefined)
  return new Set([...written.map(([name]) => name), ...files.map(({ name }) => name)])
}

function allScopes(layers: readonly Layer[], agents: readonly AgentDefinition[]): PermissionScope[] {
  const forAll = layers.map((layer) => layerScope(layer, layer.config.permission))
  const forOne = layers.flatMap((layer) => {
    return Object.entries(layer.config.agent ?? {}).map(([agent, { permission }]) => {
      return layerScope(layer, permission, agent)
    })
  })
  return [...forAll, ...agents.flatMap(agentScopes), ...forOne].filter(({ rules }) => rules.length > 0)
}

function layerScope(
  { source, plugin, isProject, positionOf }: Layer,
  permission: Config["permission"],
  agent?: string,
): PermissionScope {
  const above = agent === undefined ? ["permission"] : ["agent", agent, "permission"]
  const isFile = resolve(source) === source
  const name = isFile ? `${isProject ? "project" : "user"} configuration` : (plugin ?? source)
  return {
    name: agent === undefined ? name : `${name}, agent ${agent}`,
    source: plugin ?? source,
    ...(isFile ? { file: source } : {}),
    ...(agent === undefined ? {} : { agent }),
    ...(isProject ? { onlyTightens: true } : {}),
    rules: permissionRules(permission, (path) => positionOf?.([...above, ...path])?.line),
  }
}

/** Returns the scopes of an agent. If a project's agent replaces the user's own, the restrictions of both apply. */
function agentScopes(agent: AgentDefinition): PermissionScope[] {
  const own = agent.isProject ? agent.replaces.findLast(({ isProject }) => !isProject) : undefined
  return [...(own ? [agentScope(own, true)] : []), agentScope(agent, agent.isProject || agent.onlyTightens)]
}

function agentScope({ name, source, rules }: AgentDefinition, onlyTightens: boolean): PermissionScope {
  return {
    ...{ name: `agent ${name}`, file: source, agent: name, rules },
    ...(onlyTightens ? { onlyTightens: true } : {}),
  }
}
