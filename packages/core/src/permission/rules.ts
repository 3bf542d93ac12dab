import type { Delegation } from "../agents/agent.ts"
import type { PermissionRule, PermissionAction } from "../record/message.ts"
import { credentialRules } from "./credential-files.ts"
import { covers, matches, matchesAllowed } from "../base/patterns.ts"

/** `line`: line of the rule in its scope's file, from 1. */
export type ScopedRule = PermissionRule & { readonly line?: number }

/** Rules from one place, such as those of a file for one agent. Order matters within a scope. */
export interface PermissionScope {
  /** Name for the user, shown when one of its rules decides a call. */
  readonly name: string
  /**
   * The file or plugin of the rules. Of two scopes with the same source, the later one is more precise: its rules
   * replace those of the earlier one, except a narrower deny. Default: a source of its own.
   */
  readonly source?: string
  /** The agent that the scope is limited to. Default: every agent. */
  readonly agent?: string
  /**
   * Makes its `allow` keep the decisions of earlier scopes. For less trusted rules, which may ask and deny but not
   * allow.
   */
  readonly onlyTightens?: boolean
  /** Applies if no other scope matches. Does not allow calls whose effect is unclear. */
  readonly isDefault?: boolean
  /** Exceptions from its `ask` and `deny`. */
  readonly except?: readonly Delegation[]
  /** Skips its `ask` for calls that certainly change nothing. */
  readonly readsUnasked?: boolean
  /** Set for the user's rules of its agent: the agent's `delegates` overrides them for its subagents. */
  readonly isAgentsOwn?: boolean
  /** Absolute path of the file with the rules. */
  readonly file?: string
  readonly rules: readonly ScopedRule[]
}

/** The rules of a parent agent. */
export interface Ceiling {
  readonly agent: string
  readonly scopes: readonly PermissionScope[]
}

/** The rules for a call: those of its own session, and those of each parent session, nearest first. */
export interface PermissionRules {
  readonly scopes: readonly PermissionScope[]
  readonly ceilings?: readonly Ceiling[]
}

/** A query to the rules. */
export interface PermissionQuery {
  readonly permission: string
  readonly patterns: readonly string[]
  /** Reason that the effect of the call is unknown. */
  readonly unclear?: string | undefined
  /** Set if the call certainly changes nothing. */
  readonly onlyReads?: boolean | undefined
}

/** A query for one pattern; undefined if the query has no pattern. */
export type PatternQuery = Omit<PermissionQuery, "patterns"> & { readonly pattern: string | undefined }

export interface PermissionDecision {
  readonly action: PermissionAction
  readonly permission: string
  readonly pattern: string
  /** The rule that decided, with its scope; all missing if no rule matched. */
  readonly rule?: ScopedRule
  readonly scope?: string
  readonly file?: string
  readonly line?: number
  /** The parent agent whose rules decided; missing if the call's own rules did. */
  readonly ceiling?: string
  /** Set if rules would allow the call, but its effect is unknown. */
  readonly unclear?: string
}

/** The matching rule of a scope for one pattern. */
export interface RuleMatch {
  readonly scope: PermissionScope
  readonly rule: ScopedRule
  /** Reason that the rule has no effect. */
  readonly ignoredBecause?: "only-tightens" | "delegated" | "only-reads" | "word-end" | "same-source"
}

/** Permission for files that can run code or change what is allowed. A rule for all permissions does not allow it. */
const PROTECTED = "protected_file"

export const defaultRules: readonly PermissionRule[] = [
  { permission: "*", pattern: "*", action: "allow" },
  { permission: "doom_loop", pattern: "*", action: "ask" },
  { permission: "external_directory", pattern: "*", action: "ask" },
  { permission: PROTECTED, pattern: "*", action: "ask" },
  { permission: "read", pattern: "*.env", action: "ask" },
  { permission: "read", pattern: "*.env.*", action: "ask" },
  { permission: "read", pattern: "*.env.example", action: "allow" },
  ...credentialRules,
]

export const defaultScope: PermissionScope = { name: "defaults", isDefault: true, rules: defaultRules }

const STRICTNESS: Record<PermissionAction, number> = { allow: 0, ask: 1, deny: 2 }

/**
 * Decides a query. Within a scope, the last matching rule counts. Within a source, the last matching scope counts,
 * unless an earlier one has a narrower deny. Among sources, a `deny` overrides all others; otherwise the last matching
 * source counts. Without a matching rule, the user is asked. Of several patterns, and of the call's own rules and those
 * of parents, the strictest result counts. Without a pattern, the user is asked unless the call is denied. An unclear
 * call is also asked about, unless a scope other than the defaults allows the whole permission and no effective rule
 * asks about or denies any of it.
 */
export function decidePermission(rules: PermissionRules, query: PermissionQuery): PermissionDecision {
  const { patterns } = query
  const decisions = (patterns.length === 0 ? [undefined] : patterns).flatMap((pattern) => {
    return levelsOf(rules).map((level) => decideLevel(level, { ...query, pattern }))
  })
  return strictest(decisions)
}

/** Returns whether the permission is always denied: in one of the scopes, the last rule for it denies all patterns. */
export function isDeniedThroughout(rules: PermissionRules, permission: string): boolean {
  return levelsOf(rules).some(({ scopes = [] }) => {
    return scopes.some((scope, at) => {
      const last = scope.rules.findLast((rule) => isForPermission(rule, permission))
      if (last?.action !== "deny" || !isForAll(last)) return false
      if (scope.except?.some((each) => matches(permission, each.permission))) return false
      const later = scopes.slice(at + 1).filter((other) => isSameSource(scope, other))
      return !later.some(({ rules: own }) => {
        return own.some((rule) => rule.action !== "deny" && isForPermission(rule, permission) && isAsNarrow(rule, last))
      })
    })
  })
}

/** Returns the call's own rules, and those of each parent agent. */
export function levelsOf({ scopes, ceilings = [] }: PermissionRules): readonly Partial<Ceiling>[] {
  return [{ scopes }, ...ceilings]
}

/** Returns the first of the strictest decisions. */
export function strictest(decisions: readonly PermissionDecision[]): PermissionDecision {
  return decisions.reduce((a, b) => (isStricter(b.action, a.action) ? b : a))
}

export function isStricter(one: PermissionAction, other: PermissionAction): boolean {
  return STRICTNESS[one] > STRICTNESS[other]
}

/** Decides one pattern by the rules of one session; undefined: a query without a pattern. */
export function decideLevel({ scopes = [], agent }: Partial<Ceiling>, query: PatternQuery): PermissionDecision {
  const { permission, pattern: queried, unclear } = query
  const pattern = queried ?? ""
  const about = { permission, pattern, ...(agent === undefined ? {} : { ceiling: agent }) }
  const counting = matchesIn(scopes, query).filter(({ ignoredBecause }) => ignoredBecause === undefined)
  const match = counting.find(({ rule }) => rule.action === "deny") ?? counting.at(-1)
  if (!match) return { ...about, action: "ask" }
  const { rule, scope } = match
  const decision = { ...about, action: rule.action, ...sourceOf(match), rule, scope: scope.name }
  if (rule.action !== "allow") return decision
  if (queried === undefined) return { ...about, action: "ask" }
  if (unclear === undefined || isVouchedFor(scopes, permission, pattern)) return decision
  return { ...decision, action: "ask", unclear }
}

/** Returns the matching rule of each scope, in their order. */
export function matchesIn(scopes: readonly PermissionScope[], query: PatternQuery): RuleMatch[] {
  const { permission, pattern = "" } = query
  const found = scopes
    .flatMap((scope) => matchesOfScope(scope, permission, pattern))
    .map((match) => ignoredIfReading(match, query))
  return found.map((match, at): RuleMatch => {
    const { scope, rule, ignoredBecause } = match
    if (ignoredBecause) return match
    const later = found.slice(at + 1).find((other) => !other.ignoredBecause && isSameSource(scope, other.scope))
    if (later && replaces(later.rule, scope, permission, pattern)) return { ...match, ignoredBecause: "same-source" }
    return rule.action === "allow" && scope.onlyTightens ? { ...match, ignoredBecause: "only-tightens" } : match
  })
}

/**
 * Returns the last matching rule of the scope. Before it, lists a rule that does not match only because its pattern
 * ends with a word.
 */
function matchesOfScope(scope: PermissionScope, permission: string, pattern: string): RuleMatch[] {
  const { rules, except } = scope
  const found: RuleMatch[] = []
  for (let at = rules.length - 1; at >= 0; at--) {
    const rule = rules[at] as ScopedRule
    if (!isForPermission(rule, permission) || !matches(pattern, rule.pattern)) continue
    if (isForPattern(rule, permission, pattern)) {
      const isDelegated = rule.action !== "allow" && except?.some((each) => allows(each, permission, pattern))
      return [...found, { scope, rule, ...(isDelegated ? { ignoredBecause: "delegated" as const } : {}) }]
    }
    if (found.length === 0) found.push({ scope, rule, ignoredBecause: "word-end" })
  }
  return found
}

function ignoredIfReading(match: RuleMatch, { onlyReads }: PatternQuery): RuleMatch {
  const isIgnored = onlyReads === true && match.scope.readsUnasked === true && match.rule.action === "ask"
  return isIgnored && !match.ignoredBecause ? { ...match, ignoredBecause: "only-reads" } : match
}

/** Returns whether a rule of a later scope replaces all matching rules of an earlier scope of the same source. */
function replaces(rule: ScopedRule, { rules }: PermissionScope, permission: string, pattern: string): boolean {
  const matching = rules.filter((each) => isForPermission(each, permission) && isForPattern(each, permission, pattern))
  const denies = matching.slice(matching.findLastIndex(({ action }) => action !== "deny") + 1)
  return denies.every((deny) => isAsNarrow(rule, deny))
}

/** Returns whether a rule matches nothing that the other does not match. */
function isAsNarrow(rule: PermissionRule, other: PermissionRule): boolean {
  return covers(other.permission, rule.permission) && covers(other.pattern, rule.pattern)
}

function isSameSource(one: PermissionScope, other: PermissionScope): boolean {
  return one.source !== undefined && one.source === other.source
}

function isForPermission(rule: PermissionRule, permission: string): boolean {
  if (permission === PROTECTED && rule.action === "allow") return rule.permission === PROTECTED
  return matches(permission, rule.permission)
}

function isForPattern({ action, pattern: glob }: PermissionRule, permission: string, pattern: string): boolean {
  return action === "allow" ? matchesAllowed(permission, pattern, glob) : matches(pattern, glob)
}

function allows(delegation: Delegation, permission: string, pattern: string): boolean {
  const rule = { ...delegation, action: "allow" } as const
  return isForPermission(rule, permission) && isForPattern(rule, permission, pattern)
}

/** Returns whether a source allows all of the permission, and no other makes an exception. */
function isVouchedFor(scopes: readonly PermissionScope[], permission: string, pattern: string): boolean {
  const held = scopes.map((scope) => ({ scope, live: liveRules(scope, permission, pattern) }))
  const counting = held.map(({ scope, live }, at) => {
    const later = held.slice(at + 1).filter((other) => isSameSource(scope, other.scope))
    const all = later.flatMap((other) => other.live.filter(isForAll))
    const isReplaced = (rule: ScopedRule) => {
      return all.some((each) => rule.action !== "deny" || isAsNarrow(each, rule))
    }
    return { scope, live: live.filter((rule) => !isReplaced(rule)) }
  })
  return (
    counting.every(({ live }) => live.every(({ action }) => action === "allow")) &&
    counting.some(({ scope, live }) => !scope.isDefault && !scope.onlyTightens && live.some(isForAll))
  )
}

/** Returns the effective rules. Rules before one for every pattern have no effect, unless that one denies. */
function liveRules({ rules, except }: PermissionScope, permission: string, pattern: string): ScopedRule[] {
  const own = rules.filter((rule) => isForPermission(rule, permission))
  const from = own.findLastIndex((rule) => isForAll(rule) && rule.action !== "deny")
  const live = own.slice(Math.max(0, from))
  return live.filter(({ action }) => action === "allow" || !except?.some((each) => allows(each, permission, pattern)))
}

function isForAll({ pattern }: PermissionRule): boolean {
  return /^\*+$/.test(pattern)
}

function sourceOf({ scope: { file }, rule: { line } }: RuleMatch) {
  return { ...(file === undefined ? {} : { file }), ...(line === undefined ? {} : { line }) }
}
