import { SECTIONS } from "./summary-prompt.ts"

export interface SummaryCheck {
  readonly text: string
  /** Set if the prompt asked for the headings of the template. */
  readonly sections: boolean
  readonly tokens: number
  readonly budget: number
  /** Tokens of the summarized messages. */
  readonly source: number
  /** Set if the answer was cut at its limit. */
  readonly isCut: boolean
}

/** Factor by which a summary may exceed its budget, because the token count is an estimate. */
const MAX_BUDGET_RATIO = 1.25

/** Returns why a summary is invalid, or undefined if it is valid. */
export function summaryProblem(check: SummaryCheck): string | undefined {
  if (check.text.trim() === "") return "it is empty"
  if (check.isCut) return "it broke off at its length limit"
  if (check.tokens > check.budget * MAX_BUDGET_RATIO) return `it is longer than ${check.budget} tokens`
  if (check.tokens >= check.source) return "it is not shorter than the text that it replaces"
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
