import type { Config } from "@pawl/config"
import type { PermissionRule } from "@pawl/core"
import type { Layer } from "./layer.ts"

/** The configuration's way to write permissions as a list of rules: of those that fit, the last one counts. */
export function permissionRules(permission: Config["permission"]): PermissionRule[] {
  if (permission === undefined) return []
  if (typeof permission === "string") return [{ permission: "*", pattern: "*", action: permission }]
  return Object.entries(permission).flatMap(([name, value]) => {
    if (typeof value === "string") return [{ permission: name, pattern: "*", action: value }]
    return Object.entries(value).map(([pattern, action]) => ({ permission: name, pattern, action }))
  })
}

export interface LayeredRules {
  readonly user: readonly PermissionRule[]
  readonly project: readonly PermissionRule[]
}

/** The user's rules and the project's kept apart: as two scopes, so that neither can lift what the other denies. */
export function layeredRules(layers: readonly Layer[]): LayeredRules {
  const rulesOf = (isProject: boolean) =>
    layers.filter((layer) => layer.isProject === isProject).flatMap(({ config }) => permissionRules(config.permission))
  return { user: rulesOf(false), project: rulesOf(true) }
}
