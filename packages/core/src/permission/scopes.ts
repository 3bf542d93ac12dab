import type { Agent } from "../agents/agent.ts"
import type { Session } from "../record/message.ts"
import { type Ceiling, defaultScope, type PermissionRules, type PermissionScope } from "./rules.ts"

export interface RuleSources {
  readonly agents: ReadonlyMap<string, Agent>
  /** Scopes of the configuration. */
  readonly permission: readonly PermissionScope[]
}

/** Name of the scope with the session's own rules. */
export const SESSION_SCOPE = "session"

type Ruled = Pick<Session, "agent" | "delegation" | "permission">

/** Rules for an agent that is no longer defined: its permissions are unknown. */
const UNKNOWN_AGENT = [{ permission: "*", pattern: "*", action: "ask" }] as const

/**
 * Returns the rules for an agent in a session. `above`: the parent sessions, nearest first. The `delegates` of their
 * agents override only those agents' own rules.
 */
export function permissionRules(
  sources: RuleSources,
  agent: Agent,
  session: Ruled,
  above: readonly Ruled[],
): PermissionRules {
  const ceilings = above.map((parent, at): Ceiling => {
    const child = above[at - 1] ?? session
    const name = child.delegation?.agent ?? parent.agent
    const known = name === undefined ? undefined : sources.agents.get(name)
    const own: PermissionScope =
      name !== undefined && !known
        ? { name: `agent ${name}, which is not known any more`, rules: UNKNOWN_AGENT }
        : { ...ownScope(name ?? "unnamed", known), isAgentsOwn: true }
    const scopes = scopesOf(sources, name, own, parent).map((scope) => {
      return scope.isAgentsOwn ? { ...scope, except: known?.delegates ?? [] } : scope
    })
    return { agent: name ?? "unnamed", scopes }
  })
  return { scopes: scopesOf(sources, agent.name, ownScope(agent.name, agent), session), ceilings }
}

function ownScope(name: string, agent: Agent | undefined): PermissionScope {
  const readsUnasked = agent?.readsUnasked === true
  return { name: `agent ${name}`, rules: agent?.permission ?? [], ...(readsUnasked && { readsUnasked }) }
}

function scopesOf(
  { permission }: RuleSources,
  agent: string | undefined,
  own: PermissionScope,
  session: Ruled,
): PermissionScope[] {
  return [
    defaultScope,
    ...permission.filter((scope) => scope.agent === undefined || scope.agent === agent),
    own,
    { name: SESSION_SCOPE, rules: session.permission ?? [] },
  ]
}
