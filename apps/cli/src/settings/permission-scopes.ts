import type { Config } from "@pawl/config"
import type { PermissionRule, PermissionScope } from "@pawl/core"
import type { Layer } from "./layer.ts"

/**
 * What each layer allows and denies as a scope of its own, so that no layer lifts what another one denies. Rules for one
 * agent come after those for all: they are the more precise ones. A project's rules only tighten: they lift neither what
 * another layer asks for nor what the engine does.
 */
export function permissionScopes(layers: readonly Layer[]): PermissionScope[] {
  const scope = ({ source, isProject }: Layer, permission: Config["permission"], agent?: string): PermissionScope => ({
    name: agent === undefined ? source : `${source}, agent ${agent}`,
    ...(agent === undefined ? {} : { agent }),
    ...(isProject ? { onlyTightens: true } : {}),
    rules: permissionRules(permission),
  })
  const forAll = layers.map((layer) => scope(layer, layer.config.permission))
  const forOne = layers.flatMap((layer) => {
    return Object.entries(layer.config.agent ?? {}).map(([agent, { permission }]) => scope(layer, permission, agent))
  })
  return [...forAll, ...forOne].filter(({ rules }) => rules.length > 0)
}

/** The configuration's way to write permissions as a list of rules: of those that fit, the last one counts. */
export function permissionRules(permission: Config["permission"]): PermissionRule[] {
  if (permission === undefined) return []
  if (typeof permission === "string") return [{ permission: "*", pattern: "*", action: permission }]
  return Object.entries(permission).flatMap(([name, value]) => {
    if (typeof value === "string") return [{ permission: name, pattern: "*", action: value }]
    return Object.entries(value).map(([pattern, action]) => ({ permission: name, pattern, action }))
  })
}
