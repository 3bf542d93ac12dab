import type { Delegation } from "../agents/agent.ts"
import type { PermissionRule, PermissionAction } from "../record/message.ts"
import { credentialFiles } from "./credential-files.ts"
import { covers, matches, matchesAllowed } from "../base/patterns.ts"

/** `line`: where the rule is written in its scope's file, from 1. */
export type ScopedRule = PermissionRule & { readonly line?: number }

/** Rules that are written together, such as those of a file for one agent. Order matters within a scope. */
export interface PermissionScope {
  /** For people: it is named when one of its rules decides a call. */
  readonly name: string
  /**
   * The file or the plugin that has it. Of two scopes with the same source the later one is the more precise: what it says
   * replaces what the earlier one says, except a deny that is narrower. Default: a source of its own.
   */
  readonly source?: string
  /** The only agent that it binds; absent: every agent. */
  readonly agent?: string
  /** Its `allow` leaves what earlier scopes say: for rules of less trust, which can ask and deny, but lift nothing. */
  readonly onlyTightens?: boolean
  /** Holds where nobody has said anything: it does not vouch for what cannot be understood. */
  readonly isDefault?: boolean
  /** What its `ask` and `deny` are silent about. */
  readonly except?: readonly Delegation[]
  /** What its rules ask for is not asked if it surely changes nothing. */
  readonly readsUnasked?: boolean
  /** Set for the rules that the user gives its agent: the agent's `delegates` lifts them for its subagents. */
  readonly isAgentsOwn?: boolean
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
  /** Set if it surely changes nothing. */
  readonly onlyReads?: boolean | undefined
}

/** One pattern of what is asked of the rules; undefined: it has none. */
export type PatternQuery = Omit<PermissionQuery, "patterns"> & { readonly pattern: string | undefined }

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
  readonly muted?: "only-tightens" | "delegated" | "only-reads" | "word-end" | "same-source"
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
  ...credentialFiles.map((name) => ({ permission: "read", pattern: `*${name}`, action: "ask" }) as const),
]

export const defaultScope: PermissionScope = { name: "defaults", isDefault: true, rules: defaultRules }

const STRICTNESS: Record<PermissionAction, number> = { allow: 0, ask: 1, deny: 2 }

/**
 * Within a scope the last rule that matches speaks, within a source the last scope that speaks, unless an earlier one denies
 * more precisely. Among sources a `deny` wins over everything; otherwise the last one that speaks. What no rule speaks of is
 * asked. Of several patterns, and of the call's own rules and those above, the strictest answer counts. Without a pattern,
 * what is not denied is asked. What is unclear is asked as well, unless a scope other than the defaults allows the whole
 * permission and no rule that holds asks or denies any of it.
 */
export function decidePermission(rules: PermissionRules, query: PermissionQuery): PermissionDecision {
  const { patterns } = query
  const decisions = (patterns.length === 0 ? [undefined] : patterns).flatMap((pattern) => {
    return levelsOf(rules).map((level) => decideLevel(level, { ...query, pattern }))
  })
  return strictest(decisions)
}

/** Whether nothing of it is ever allowed: the last rule for the permission in one of the scopes denies all of it. */
export function isDeniedThroughout(rules: PermissionRules, permission: string): boolean {
  return levelsOf(rules).some(({ scopes = [] }) => {
    return scopes.some((scope, at) => {
      const last = scope.rules.findLast((rule) => speaksOf(rule, permission))
      if (last?.action !== "deny" || !isForAll(last)) return false
      if (scope.except?.some((each) => matches(permission, each.permission))) return false
      const later = scopes.slice(at + 1).filter((other) => isSameSource(scope, other))
      return !later.some(({ rules: own }) => {
        return own.some((rule) => rule.action !== "deny" && speaksOf(rule, permission) && isAsNarrow(rule, last))
      })
    })
  })
}

/** The call's own rules, and those of each agent above. */
export function levelsOf({ scopes, ceilings = [] }: PermissionRules): readonly Partial<Ceiling>[] {
  return [{ scopes }, ...ceilings]
}

/** The first of the strictest. */
export function strictest(decisions: readonly PermissionDecision[]): PermissionDecision {
  return decisions.reduce((a, b) => (isStricter(b.action, a.action) ? b : a))
}

export function isStricter(one: PermissionAction, other: PermissionAction): boolean {
  return STRICTNESS[one] > STRICTNESS[other]
}

/** What the rules of one session say of one pattern; of none, where it is undefined. */
export function decideLevel({ scopes = [], agent }: Partial<Ceiling>, query: PatternQuery): PermissionDecision {
  const { permission, pattern: given, unclear } = query
  const pattern = given ?? ""
  const about = { permission, pattern, ...(agent === undefined ? {} : { ceiling: agent }) }
  const counting = speeches(scopes, query).filter(({ muted }) => muted === undefined)
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
export function speeches(scopes: readonly PermissionScope[], query: PatternQuery): Speech[] {
  const { permission, pattern = "" } = query
  const said = scopes
    .flatMap((scope) => speechOf(scope, permission, pattern))
    .map((speech) => unlessReading(speech, query))
  return said.map((speech, at): Speech => {
    const { scope, rule, muted } = speech
    if (muted) return speech
    const later = said.slice(at + 1).find((other) => !other.muted && isSameSource(scope, other.scope))
    if (later && replaces(later.rule, scope, permission, pattern)) return { ...speech, muted: "same-source" }
    return rule.action === "allow" && scope.onlyTightens ? { ...speech, muted: "only-tightens" } : speech
  })
}

/** The last rule of the scope that matches, behind one that would if its pattern did not end with a word. */
function speechOf(scope: PermissionScope, permission: string, pattern: string): Speech[] {
  const { rules, except } = scope
  const said: Speech[] = []
  for (let at = rules.length - 1; at >= 0; at--) {
    const rule = rules[at] as ScopedRule
    if (!speaksOf(rule, permission) || !matches(pattern, rule.pattern)) continue
    if (speaksFor(rule, permission, pattern)) {
      const isDelegated = rule.action !== "allow" && except?.some((each) => allows(each, permission, pattern))
      return [...said, { scope, rule, ...(isDelegated ? { muted: "delegated" as const } : {}) }]
    }
    if (said.length === 0) said.push({ scope, rule, muted: "word-end" })
  }
  return said
}

function unlessReading(speech: Speech, { onlyReads }: PatternQuery): Speech {
  const isMuted = onlyReads === true && speech.scope.readsUnasked === true && speech.rule.action === "ask"
  return isMuted && !speech.muted ? { ...speech, muted: "only-reads" } : speech
}

/** Whether a rule of a later scope takes the place of all that an earlier one of the same source says. */
function replaces(rule: ScopedRule, { rules }: PermissionScope, permission: string, pattern: string): boolean {
  const matching = rules.filter((each) => speaksOf(each, permission) && speaksFor(each, permission, pattern))
  const denies = matching.slice(matching.findLastIndex(({ action }) => action !== "deny") + 1)
  return denies.every((deny) => isAsNarrow(rule, deny))
}

/** Whether it names nothing that the other does not name. */
function isAsNarrow(rule: PermissionRule, other: PermissionRule): boolean {
  return covers(other.permission, rule.permission) && covers(other.pattern, rule.pattern)
}

function isSameSource(one: PermissionScope, other: PermissionScope): boolean {
  return one.source !== undefined && one.source === other.source
}

function speaksOf(rule: PermissionRule, permission: string): boolean {
  if (permission === PROTECTED && rule.action === "allow") return rule.permission === PROTECTED
  return matches(permission, rule.permission)
}

function speaksFor({ action, pattern: glob }: PermissionRule, permission: string, pattern: string): boolean {
  return action === "allow" ? matchesAllowed(permission, pattern, glob) : matches(pattern, glob)
}

function allows(given: Delegation, permission: string, pattern: string): boolean {
  const rule = { ...given, action: "allow" } as const
  return speaksOf(rule, permission) && speaksFor(rule, permission, pattern)
}

/** Whether a source allows all of the permission, and no other makes an exception. */
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

/** Those that may speak: rules before one for every pattern do not, unless they deny as well. */
function liveRules({ rules, except }: PermissionScope, permission: string, pattern: string): ScopedRule[] {
  const own = rules.filter((rule) => speaksOf(rule, permission))
  const from = own.findLastIndex((rule) => isForAll(rule) && rule.action !== "deny")
  const live = own.slice(Math.max(0, from))
  return live.filter(({ action }) => action === "allow" || !except?.some((each) => allows(each, permission, pattern)))
}

function isForAll({ pattern }: PermissionRule): boolean {
  return /^\*+$/.test(pattern)
}

function sourceOf({ scope: { file }, rule: { line } }: Speech) {
  return { ...(file === undefined ? {} : { file }), ...(line === undefined ? {} : { line }) }
}
