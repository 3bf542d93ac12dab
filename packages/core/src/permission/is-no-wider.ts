import type { PermissionRule } from "../record/message.ts"
import type { RuleSources } from "./scopes.ts"

/**
 * Returns whether an agent certainly may do no more than another: their own rules are equal, or its rules only tighten
 * while those of the other only allow. False for an unknown agent.
 */
export function isNoWider(sources: RuleSources, name: string, other: string): boolean {
  const [rules, others] = [rulesOf(sources, name), rulesOf(sources, other)]
  if (!rules || !others) return false
  if (isSame(rules, others)) return readsUnasked(sources, other) || !readsUnasked(sources, name)
  return rules.every(({ action }) => action !== "allow") && others.every(({ action }) => action === "allow")
}

/** Returns the rules that bind only this agent. */
function rulesOf({ agents, permission }: RuleSources, name: string): PermissionRule[] | undefined {
  const agent = agents.get(name)
  const written = permission.filter((scope) => scope.agent === name)
  const configured = written.flatMap(({ onlyTightens, rules }) => {
    return rules.filter(({ action }) => action !== "allow" || !onlyTightens)
  })
  return agent && [...(agent.permission ?? []), ...configured]
}

function readsUnasked({ agents }: RuleSources, name: string): boolean {
  return agents.get(name)?.readsUnasked === true
}

function isSame(rules: readonly PermissionRule[], others: readonly PermissionRule[]): boolean {
  const keys = [rules, others].map((list) => {
    return JSON.stringify(list.map(({ permission, pattern, action }) => [permission, pattern, action]))
  })
  return keys[0] === keys[1]
}
