import { SECTIONS } from "./summary-prompt.ts"

export interface SummaryCheck {
  readonly text: string
  /** Whether the headings of the template were asked for. */
  readonly sections: boolean
  readonly tokens: number
  readonly budget: number
  /** Tokens of what was summarized. */
  readonly source: number
  /** The answer was cut off at its limit. */
  readonly isCut: boolean
}

/** How far a summary may be over its budget: the count is an estimate. */
const TOLERANCE = 1.25

/** Why a summary cannot stand for the conversation, or undefined where it can. */
export function summaryProblem(check: SummaryCheck): string | undefined {
  if (check.text.trim() === "") return "it is empty"
  if (check.isCut) return "it broke off at its length limit"
  if (check.tokens > check.budget * TOLERANCE) return `it is longer than ${check.budget} tokens`
  if (check.tokens >= check.source) return "it is no shorter than what it stands for"
  if (!check.sections) return undefined
  const missing = SECTIONS.filter((section) => !hasHeading(check.text, section))
  return missing.length > 0 ? `it lacks the sections ${missing.join(", ")}` : undefined
}

function hasHeading(text: string, section: string): boolean {
  const wanted = section.toLowerCase()
  return text.split("\n").some((line) => {
    const heading = /^\s*(?:#{1,4}\s*|\*\*)(?:\d+[.)]\s*)?(.+?)(?:\*\*)?:?\s*$/.exec(line)?.[1]
    return heading?.toLowerCase().startsWith(wanted) === true
  })
}
