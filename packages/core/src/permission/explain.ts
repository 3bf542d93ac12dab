import {
  decideLevel,
  decidePermission,
  levelsOf,
  type PermissionDecision,
  type PermissionQuery,
  type PermissionRules,
  type RuleMatch,
  matchesIn,
  strictest,
} from "./rules.ts"
import { type PermissionAction } from "../record/message.ts"
import { quoted } from "../base/quoted.ts"

/** A decision with everything that led to it. */
export interface PermissionExplanation {
  readonly decision: PermissionDecision
  /** The reason as one sentence. */
  readonly why: string
  /** Patterns in the order of the query; one empty pattern if the query has none. */
  readonly patterns: readonly PatternExplanation[]
}

export interface PatternExplanation {
  readonly pattern: string
  readonly decision: PermissionDecision
  readonly why: string
  /** The call's own rules first, then those of the parent agents, nearest first. */
  readonly levels: readonly LevelExplanation[]
}

export interface LevelExplanation {
  /** The parent agent; missing for the call's own rules. */
  readonly ceiling?: string
  readonly decision: PermissionDecision
  /** The matching rule of each scope, in the order of the scopes. */
  readonly spoke: readonly SpokenRule[]
}

export interface SpokenRule {
  readonly scope: string
  readonly permission: string
  readonly pattern: string
  readonly action: PermissionAction
  readonly file?: string
  readonly line?: number
  /** True if the rule decided at its level. */
  readonly decides: boolean
  /**
   * `only-tightens`: its `allow` has no effect; `delegated`: its agent allows it for subagents; `only-reads`: its agent
   * asks only about calls that may change something; `word-end`: its allowed pattern ends with a word; `same-source`: a
   * more precise rule of the same file or plugin applies; `overruled`: another scope decided; `unclear`: asked because
   * the effect of the call is unclear.
   */
  readonly silencedBy?: NonNullable<RuleMatch["ignoredBecause"]> | "overruled" | "unclear"
}

/** Returns the decision of the rules, the matching rule of every scope, and the reason. */
export function explainDecision(rules: PermissionRules, query: PermissionQuery): PermissionExplanation {
  const patterns = query.patterns.length === 0 ? [undefined] : query.patterns
  const decision = decidePermission(rules, query)
  return {
    decision,
    why: sentence(decision, query),
    patterns: patterns.map((pattern) => explainPattern(rules, query, pattern)),
  }
}

function explainPattern(
  rules: PermissionRules,
  query: PermissionQuery,
  pattern: string | undefined,
): PatternExplanation {
  const levels = levelsOf(rules).map((level): LevelExplanation => {
    const decision = decideLevel(level, { ...query, pattern })
    const spoke = matchesIn(level.scopes ?? [], { ...query, pattern }).map((match) => toSpoken(match, decision))
    return { ...(level.agent === undefined ? {} : { ceiling: level.agent }), decision, spoke }
  })
  const decision = strictest(levels.map((level) => level.decision))
  return { pattern: pattern ?? "", decision, why: sentence(decision, query), levels }
}

function toSpoken({ scope, rule, ignoredBecause }: RuleMatch, decision: PermissionDecision): SpokenRule {
  const { permission, pattern, action, line } = rule
  const isLast = ignoredBecause === undefined && rule === decision.rule && scope.name === decision.scope
  const isUnclear = isLast && decision.unclear !== undefined && action !== decision.action
  const decides = isLast && !isUnclear
  const silencedBy = decides ? undefined : isUnclear ? "unclear" : (ignoredBecause ?? "overruled")
  return {
    ...{ scope: scope.name, permission, pattern, action, decides },
    ...(scope.file === undefined ? {} : { file: scope.file }),
    ...(line === undefined ? {} : { line }),
    ...(silencedBy ? { silencedBy } : {}),
  }
}

const VERBS: Record<PermissionAction, string> = { allow: "is allowed", ask: "is asked", deny: "is denied" }

function sentence(decision: PermissionDecision, { patterns }: PermissionQuery): string {
  const { action, permission, pattern, rule, unclear } = decision
  const what = `${permission} ${quoted(pattern)} ${VERBS[action]}`
  if (unclear !== undefined) return `${what}: ${unclear}`
  if (patterns.length === 0 && action === "ask") return `${what}: the call names nothing that a rule could speak of.`
  if (!rule) return `${what}: no rule speaks of it.`
  const how = action === "deny" ? "a deny wins over everything" : "it speaks last"
  return `${what} by ${ruleText(decision)}: ${how}.`
}

/** Formats the rule behind a decision, with its place, for the user. */
export function ruleText({ rule, scope, file, line, ceiling }: PermissionDecision): string {
  if (!rule) return "no rule"
  const { permission, pattern, action } = rule
  const location = file === undefined ? "" : `, ${file}${line === undefined ? "" : `:${line}`}`
  const above = ceiling === undefined ? "" : `, which binds the agent ${ceiling} above`
  const text = `{ permission: ${quoted(permission)}, pattern: ${quoted(pattern)}, action: "${action}" }`
  return `the rule ${text} (${scope}${location}${above})`
}
