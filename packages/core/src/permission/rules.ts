import type { PermissionRule } from "../session/message.ts"

export type PermissionAction = PermissionRule["action"]

/** The rules of one source, such as the defaults, the configuration or the agent. Order matters within a scope. */
export interface PermissionScope {
  /** For people: it is named when one of its rules denies a call. */
  readonly name: string
  /** The only agent that it binds; absent: every agent. */
  readonly agent?: string
  /** Its `allow` leaves what earlier scopes say: for rules of less trust, which can ask and deny, but lift nothing. */
  readonly onlyTightens?: boolean
  /** Where the rules are written, absolute. */
  readonly file?: string
  readonly rules: readonly ScopedRule[]
}

/** `line`: where the rule is written in its scope's file, from 1. */
export type ScopedRule = PermissionRule & { readonly line?: number }

export interface PermissionDecision {
  readonly action: PermissionAction
  readonly pattern: string
  /** Absent where no rule speaks of it. */
  readonly rule?: PermissionRule
  readonly scope?: string
}

export const defaultRules: readonly PermissionRule[] = [
  { permission: "*", pattern: "*", action: "allow" },
  { permission: "doom_loop", pattern: "*", action: "ask" },
  { permission: "external_directory", pattern: "*", action: "ask" },
  { permission: "read", pattern: "*.env", action: "ask" },
  { permission: "read", pattern: "*.env.*", action: "ask" },
  { permission: "read", pattern: "*.env.example", action: "allow" },
]

/**
 * Within a scope the last rule that matches speaks. Among the scopes a `deny` wins over everything; otherwise the last
 * scope that speaks. What no rule speaks of is asked. Of several patterns the strictest answer counts; where there is
 * none, what is not denied is asked.
 */
export function decidePermission(
  scopes: readonly PermissionScope[],
  permission: string,
  patterns: readonly string[],
): PermissionDecision {
  if (patterns.length === 0) {
    const decision = decideOne(scopes, permission, "")
    return decision.action === "deny" ? decision : { action: "ask", pattern: "" }
  }
  const decisions = patterns.map((pattern) => decideOne(scopes, permission, pattern))
  return decisions.reduce((a, b) => (STRICTNESS[b.action] > STRICTNESS[a.action] ? b : a))
}

const STRICTNESS: Record<PermissionAction, number> = { allow: 0, ask: 1, deny: 2 }

function decideOne(scopes: readonly PermissionScope[], permission: string, pattern: string): PermissionDecision {
  let decision: PermissionDecision = { action: "ask", pattern }
  for (const { name, rules, onlyTightens } of scopes) {
    const rule = rules.findLast((each) => matches(permission, each.permission) && matches(pattern, each.pattern))
    if (!rule || (onlyTightens && rule.action === "allow")) continue
    decision = { action: rule.action, pattern, rule, scope: name }
    if (rule.action === "deny") break
  }
  return decision
}

/**
 * `*` stands for any characters, `?` for one. A pattern that ends in ` *` also matches without that end. Case counts,
 * the spelling of an accent does not: as one character or as two.
 */
export function matches(text: string, pattern: string): boolean {
  const plain = Array.from(normalized(text))
  const glob = normalized(pattern)
  if (matchesGlob(plain, Array.from(glob))) return true
  return glob.endsWith(" *") && matchesGlob(plain, Array.from(glob.slice(0, -2)))
}

function normalized(text: string): string {
  return text.replaceAll("\\", "/").normalize("NFC")
}

/** Returns to the last star only: linear in practice, whereas a regular expression may take for ever on hostile text. */
function matchesGlob(text: readonly string[], glob: readonly string[]): boolean {
  let at = 0
  let g = 0
  let star = -1
  let resumeAt = 0
  while (at < text.length) {
    if (glob[g] === "*") {
      star = g++
      resumeAt = at
    } else if (glob[g] === "?" || glob[g] === text[at]) {
      g++
      at++
    } else if (star >= 0) {
      g = star + 1
      at = ++resumeAt
    } else return false
  }
  while (glob[g] === "*") g++
  return g === glob.length
}
