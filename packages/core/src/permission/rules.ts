import type { Delegation } from "../agent.ts"
import type { PermissionRule } from "../session/message.ts"
import { matches } from "./patterns.ts"

export type PermissionAction = PermissionRule["action"]

/** `line`: where the rule is written in its scope's file, from 1. */
export type ScopedRule = PermissionRule & { readonly line?: number }

/** The rules of one source, such as the defaults, the configuration or the agent. Order matters within a scope. */
export interface PermissionScope {
  /** For people: it is named when one of its rules decides a call. */
  readonly name: string
  /** The only agent that it binds; absent: every agent. */
  readonly agent?: string
  /** Its `allow` leaves what earlier scopes say: for rules of less trust, which can ask and deny, but lift nothing. */
  readonly onlyTightens?: boolean
  /** Holds where nobody has said anything: it does not vouch for what cannot be understood. */
  readonly isDefault?: boolean
  /** What its `ask` and `deny` are silent about. */
  readonly except?: readonly Delegation[]
  /** Where the rules are written, absolute. */
  readonly file?: string
  readonly rules: readonly ScopedRule[]
}

/** What binds an agent above the one that calls. */
export interface Ceiling {
  readonly agent: string
  readonly scopes: readonly PermissionScope[]
}

/** What binds a call: the rules of its own session, and those of each session above it, the nearest first. */
export interface PermissionRules {
  readonly scopes: readonly PermissionScope[]
  readonly ceilings?: readonly Ceiling[]
}

/** What is asked of the rules. */
export interface PermissionQuery {
  readonly permission: string
  readonly patterns: readonly string[]
  /** Why it is not known what would be done. */
  readonly unclear?: string | undefined
}

export interface PermissionDecision {
  readonly action: PermissionAction
  readonly permission: string
  readonly pattern: string
  /** The rule that decided, with its scope; all absent where no rule speaks of it. */
  readonly rule?: ScopedRule
  readonly scope?: string
  readonly file?: string
  readonly line?: number
  /** The agent above whose rules decided; absent where the call's own did. */
  readonly ceiling?: string
  /** Set where rules would allow it, were it known what would be done. */
  readonly unclear?: string
}

/** A scope's word on one pattern. */
export interface Speech {
  readonly scope: PermissionScope
  readonly rule: ScopedRule
  /** Why it does not count. */
  readonly muted?: "only-tightens" | "delegated"
}

/** Writing there may run code, or change what is allowed: a rule for everything does not allow it. */
const PROTECTED = "protected_file"

export const defaultRules: readonly PermissionRule[] = [
  { permission: "*", pattern: "*", action: "allow" },
  { permission: "doom_loop", pattern: "*", action: "ask" },
  { permission: "external_directory", pattern: "*", action: "ask" },
  { permission: PROTECTED, pattern: "*", action: "ask" },
  { permission: "read", pattern: "*.env", action: "ask" },
  { permission: "read", pattern: "*.env.*", action: "ask" },
  { permission: "read", pattern: "*.env.example", action: "allow" },
]

export const defaultScope: PermissionScope = { name: "defaults", isDefault: true, rules: defaultRules }

const STRICTNESS: Record<PermissionAction, number> = { allow: 0, ask: 1, deny: 2 }

/**
 * Within a scope the last rule that matches speaks. Among the scopes a `deny` wins over everything; otherwise the last
 * scope that speaks. What no rule speaks of is asked. Of several patterns, and of the call's own rules and those above,
 * the strictest answer counts. Without a pattern, what is not denied is asked. What is unclear is asked as well, unless
 * a scope other than the defaults allows the whole permission and no rule that holds asks or denies any of it.
 */
export function decidePermission(rules: PermissionRules, query: PermissionQuery): PermissionDecision {
  const { permission, patterns, unclear } = query
  const decisions = (patterns.length === 0 ? [undefined] : patterns).flatMap((pattern) => {
    return levelsOf(rules).map((level) => decideLevel(level, permission, pattern, unclear))
  })
  return strictest(decisions)
}

/** Whether nothing of it is ever allowed: the last rule for the permission in one of the scopes denies all of it. */
export function isDeniedThroughout(rules: PermissionRules, permission: string): boolean {
  return levelsOf(rules).some(({ scopes = [] }) => {
    return scopes.some((scope) => {
      const last = scope.rules.findLast((rule) => speaksOf(rule, permission))
      const isLifted = scope.except?.some((each) => matches(permission, each.permission))
      return last?.action === "deny" && isForAll(last) && !isLifted
    })
  })
}

/** The call's own rules, and those of each agent above. */
export function levelsOf({ scopes, ceilings = [] }: PermissionRules): readonly Partial<Ceiling>[] {
  return [{ scopes }, ...ceilings]
}

/** The first of the strictest. */
export function strictest(decisions: readonly PermissionDecision[]): PermissionDecision {
  return decisions.reduce((a, b) => (STRICTNESS[b.action] > STRICTNESS[a.action] ? b : a))
}

/** What the rules of one session say of one pattern; of none, where it is undefined. */
export function decideLevel(
  { scopes = [], agent }: Partial<Ceiling>,
  permission: string,
  given: string | undefined,
  unclear?: string,
): PermissionDecision {
  const pattern = given ?? ""
  const about = { permission, pattern, ...(agent === undefined ? {} : { ceiling: agent }) }
  const counting = speeches(scopes, permission, pattern).filter(({ muted }) => muted === undefined)
  const speech = counting.find(({ rule }) => rule.action === "deny") ?? counting.at(-1)
  if (!speech) return { ...about, action: "ask" }
  const { rule, scope } = speech
  const decision = { ...about, action: rule.action, ...sourceOf(speech), rule, scope: scope.name }
  if (rule.action !== "allow") return decision
  if (given === undefined) return { ...about, action: "ask" }
  if (unclear === undefined || isVouchedFor(scopes, permission, pattern)) return decision
  return { ...decision, action: "ask", unclear }
}

/** What each scope says, in their order; a scope without a rule for it is left out. */
export function speeches(scopes: readonly PermissionScope[], permission: string, pattern: string): Speech[] {
  return scopes.flatMap((scope): Speech[] => {
    const rule = scope.rules.findLast((each) => speaksOf(each, permission) && matches(pattern, each.pattern))
    if (!rule) return []
    const muted = mutedBy(scope, rule, permission, pattern)
    return [{ scope, rule, ...(muted ? { muted } : {}) }]
  })
}

function speaksOf(rule: PermissionRule, permission: string): boolean {
  if (permission === PROTECTED && rule.action === "allow") return rule.permission === PROTECTED
  return matches(permission, rule.permission)
}

function mutedBy(scope: PermissionScope, { action }: PermissionRule, permission: string, pattern: string) {
  if (action === "allow") return scope.onlyTightens ? "only-tightens" : undefined
  const isExcepted = scope.except?.some((each) => {
    return speaksOf({ ...each, action: "allow" }, permission) && matches(pattern, each.pattern)
  })
  return isExcepted ? "delegated" : undefined
}

/** Whether somebody allows all of the permission, and nobody makes an exception. */
function isVouchedFor(scopes: readonly PermissionScope[], permission: string, pattern: string): boolean {
  const held = scopes.map((scope) => {
    const rules = scope.rules.filter((rule) => speaksOf(rule, permission))
    // Rules before one for every pattern never speak.
    const live = rules.slice(Math.max(0, rules.findLastIndex(isForAll)))
    return { scope, live: live.filter((rule) => mutedBy(scope, rule, permission, pattern) !== "delegated") }
  })
  return (
    held.every(({ live }) => live.every(({ action }) => action === "allow")) &&
    held.some(({ scope, live }) => !scope.isDefault && !scope.onlyTightens && live.some(isForAll))
  )
}

function isForAll({ pattern }: PermissionRule): boolean {
  return /^\*+$/.test(pattern)
}

function sourceOf({ scope: { file }, rule: { line } }: Speech) {
  return { ...(file === undefined ? {} : { file }), ...(line === undefined ? {} : { line }) }
}
