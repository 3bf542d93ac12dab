import type { KeyPath } from "./key-path.ts"
import type { PermissionConfig } from "./schema.ts"

/** A permission rule with its line, from 1. */
export interface LocatedRule {
  readonly permission: string
  readonly pattern: string
  readonly action: "allow" | "ask" | "deny"
  readonly line?: number
}

/**
 * Returns a configuration's permissions as a list of rules. The last matching rule decides. `lineOf` returns the line
 * for a path relative to the permissions; without it, rules have no lines.
 */
export function permissionRules(
  permission: PermissionConfig | undefined,
  lineOf: (path: KeyPath) => number | undefined = () => undefined,
): LocatedRule[] {
  function rule(name: string, pattern: string, action: LocatedRule["action"], path: KeyPath): LocatedRule {
    const line = lineOf(path)
    return { permission: name, pattern, action, ...(line === undefined ? {} : { line }) }
  }

  if (permission === undefined) return []
  if (typeof permission === "string") return [rule("*", "*", permission, [])]
  return Object.entries(permission).flatMap(([name, value]) => {
    if (typeof value === "string") return [rule(name, "*", value, [name])]
    return Object.entries(value).map(([pattern, action]) => rule(name, pattern, action, [name, pattern]))
  })
}
