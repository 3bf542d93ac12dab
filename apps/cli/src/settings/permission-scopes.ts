import { resolve } from "node:path"
import { type AgentDefinition, type Config, permissionRules } from "@pawl/config"
import type { PermissionRule, PermissionScope } from "@pawl/core"
import type { Layer } from "./layer.ts"

/**
 * What each layer allows and denies as a scope of its own, so that no layer lifts what another one denies. Rules for one
 * agent come after those for all: they are the more precise ones; those of its own file before those of the configuration.
 * A project's rules only tighten: they lift neither what another layer asks for nor what the engine does.
 */
export function permissionScopes(layers: readonly Layer[], agents: readonly AgentDefinition[] = []): PermissionScope[] {
  const own = delegatingAgents(layers, agents)
  return allScopes(layers, agents).filter((scope) => !isOwn(scope, own))
}

/**
 * The rules that agents which delegate go by themselves, by their names: the engine has to know them as the agent's own
 * to lift them for its subagents. Those of a project are none: they hold for all below as well.
 */
export function ownRules(
  layers: readonly Layer[],
  agents: readonly AgentDefinition[] = [],
): ReadonlyMap<string, readonly PermissionRule[]> {
  const scopes = allScopes(layers, agents)
  const names = [...delegatingAgents(layers, agents)]
  return new Map(
    names.map((name) => [name, scopes.filter((scope) => isOwn(scope, new Set([name]))).flatMap(({ rules }) => rules)]),
  )
}

function isOwn({ agent, onlyTightens }: PermissionScope, delegating: ReadonlySet<string>): boolean {
  return agent !== undefined && !onlyTightens && delegating.has(agent)
}

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
  { source, isProject, positionOf }: Layer,
  permission: Config["permission"],
  agent?: string,
): PermissionScope {
  const above = agent === undefined ? ["permission"] : ["agent", agent, "permission"]
  const isFile = resolve(source) === source
  const name = isFile ? `${isProject ? "project" : "user"} configuration` : source
  return {
    name: agent === undefined ? name : `${name}, agent ${agent}`,
    ...(isFile ? { file: source } : {}),
    ...(agent === undefined ? {} : { agent }),
    ...(isProject ? { onlyTightens: true } : {}),
    rules: permissionRules(permission, (path) => positionOf?.([...above, ...path])?.line),
  }
}

/** Where a project's agent takes the place of the user's own, what that one may not do holds all the same. */
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
