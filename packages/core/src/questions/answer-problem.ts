import { chosenPatternsProblem } from "../permission/chosen-patterns.ts"
import type { Answer, QuestionPart } from "../record/message.ts"

/** Returns why an answer does not fit its question; undefined if it fits. */
export function answerProblem({ about }: Pick<QuestionPart, "about">, answer: Answer): string | undefined {
  if (answer.type === "dismissed") return undefined
  if (answer.type !== about.type) return `The question wants an answer of type "${about.type}", not "${answer.type}".`
  if (answer.type === "permission" && about.type === "permission") {
    const { reply, patterns } = answer
    if (reply !== "always") return patterns && `Patterns go with an answer of always, not with ${reply}.`
    if (about.always.length === 0) return "It cannot be allowed for good: answer once, or reject."
    return patterns && chosenPatternsProblem(about, patterns)
  }
  if (answer.type === "permission" || about.type !== "choice") return undefined
  const { questions } = about
  if (answer.answers.length !== questions.length) {
    return `There are ${questions.length} questions, and ${answer.answers.length} were answered.`
  }
  for (const [at, { header, options, multiple, custom = true }] of questions.entries()) {
    const chosen = answer.answers[at] ?? []
    if (!multiple && chosen.length > 1) return `"${header}" takes one answer, not ${chosen.length}.`
    const other = chosen.find((label) => !custom && !options.some((option) => option.label === label))
    if (other !== undefined) return `"${header}" does not offer "${other}".`
  }
  return undefined
}
