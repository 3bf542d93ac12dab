import { matches, matchesAllowed } from "../base/patterns.ts"
import { quoted } from "../base/quoted.ts"
import { MAX_CHOSEN_PATTERN_LENGTH, MAX_CHOSEN_PATTERNS } from "../record/chosen-pattern-limits.ts"
import type { Approval } from "./approvals.ts"

/** The parts of a permission question that limit which patterns an answer of `always` may allow. */
export interface AskedPatterns {
  readonly permission: string
  readonly patterns: readonly string[]
  readonly always: readonly string[]
  /** `unclear` is set if it is unknown what the call would do. */
  readonly metadata: Readonly<Record<string, unknown>>
}

/**
 * Returns why an answer of `always` cannot allow these patterns instead of the proposed ones; undefined if it can. At least
 * one pattern is proposed. Each asked pattern has to match one of the chosen ones, because otherwise the next equal call
 * would be asked about again.
 */
export function chosenPatternsProblem(asked: AskedPatterns, chosen: readonly string[]): string | undefined {
  const { permission, patterns, always, metadata } = asked
  if (chosen.length === 0 || chosen.includes("")) return "An answer of always needs a pattern, and no empty one."
  if (chosen.length > MAX_CHOSEN_PATTERNS) {
    return `An answer of always takes at most ${MAX_CHOSEN_PATTERNS} patterns, not ${chosen.length}.`
  }
  if (chosen.some(({ length }) => length > MAX_CHOSEN_PATTERN_LENGTH)) {
    return `A pattern has at most ${MAX_CHOSEN_PATTERN_LENGTH} characters.`
  }
  const other = chosen.find((pattern) => !always.includes(pattern))
  if (other !== undefined && metadata["unclear"] !== undefined) {
    return `The pattern ${quoted(other)} cannot be allowed: it is unclear what the call does, so always allows only ${listed(always)}.`
  }
  const missed = patterns.find((pattern) => !chosen.some((wide) => isCovered(asked, pattern, wide)))
  // The tool's own proposals may leave out a part of the call, such as one that rules allow.
  const isProposed = missed === undefined || always.some((wide) => isCovered(asked, missed, wide))
  if (missed === undefined || !isProposed) return undefined
  const isOpenWord = chosen.some((wide) => matches(missed, wide))
  const hint = isOpenWord ? ' A "*" after a letter or digit begins with the next word.' : ""
  const [subject, verb] = chosen.length === 1 ? ["The pattern", "does not match"] : ["None of the patterns", "matches"]
  return `${subject} ${listed(chosen)} ${verb} ${permission} ${quoted(missed)}, so the next such call would ask again.${hint}`

  function listed(texts: readonly string[]): string {
    return texts.map((text) => quoted(text)).join(", ")
  }
}

/** Returns what an answer of `always` to the question allows. Patterns of the user's own are matched as in rules. */
export function chosenApprovals(
  { always }: Pick<AskedPatterns, "always">,
  chosen: readonly string[] = always,
): Pick<Approval, "pattern" | "glob">[] {
  return [...new Set(chosen)].map((pattern) => (always.includes(pattern) ? { pattern } : { pattern, glob: true }))
}

/** A proposal that repeats the call's own words allows these words only, also if a `*` is in them. */
function isCovered({ permission, patterns, always }: AskedPatterns, pattern: string, wide: string): boolean {
  if (pattern.normalize("NFC") === wide.normalize("NFC")) return true
  const isLiteral = always.includes(wide) && patterns.includes(wide)
  return !isLiteral && matchesAllowed(permission, pattern, wide)
}
