import { type ClientRow, features } from "./features.ts"
import type { Outcome } from "./play.ts"

/** Markdown, as `docs/server.md` has it: a check mark, a cross, or the number of a reason below. */
export function table(rows: readonly ClientRow[], outcomes: readonly Outcome[]): string {
  const reasons: string[] = []
  const lines = rows.map(({ name, title }) => [title, ...features.map((feature) => mark(name, feature))])
  const head = ["client", ...features]
  const cells = [head, head.map(() => "---"), ...lines].map((line) => `| ${line.join(" | ")} |`)
  return [...cells, "", ...reasons.map((reason, at) => `${at + 1}. ${reason}`)].join("\n").trimEnd()

  function mark(client: string, feature: string): string {
    const found = outcomes.find((each) => each.client === client && each.feature === feature)
    if (found === undefined) return ""
    if (found.outcome !== "none") return found.outcome === "works" ? "✓" : "✗"
    const reason = found.reason ?? ""
    if (!reasons.includes(reason)) reasons.push(reason)
    return `${reasons.indexOf(reason) + 1}`
  }
}

/** Counts the cells by outcome. */
export function counts(outcomes: readonly Outcome[]): string {
  const count = (outcome: Outcome["outcome"]) => outcomes.filter((each) => each.outcome === outcome).length
  return `${count("works")} cells pass, ${count("fails")} fail, and ${count("none")} cannot be played, for the reasons above.`
}
