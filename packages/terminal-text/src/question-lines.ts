import type { Answer, QuestionPart } from "@pawl/core/record"
import { foreignLine } from "./foreign-lines.ts"

/** Renders the subject of a question in one line. */
export function questionSubject({ about }: Pick<QuestionPart, "about">): string {
  if (about.type === "choice")
    return about.questions.map(({ header, question }) => foreignLine(header || question)).join(", ")
  const { message } = about.metadata
  if (about.permission === "doom_loop" && typeof message === "string") return foreignLine(message)
  return `${foreignLine(about.permission)} ${about.patterns.map(foreignLine).join(", ")}`.trim()
}

/** Renders the answer in one line. Undefined while the question is open. */
export function answerWords({ answer, about }: Pick<QuestionPart, "answer" | "about">): string | undefined {
  if (!answer) return undefined
  if (answer.type === "choice") return about.type === "choice" ? chosenWords(answer) : ""
  if (answer.type === "dismissed") return `not answered: ${foreignLine(answer.reason)}`
  if (answer.reply === "once") return "allowed once"
  if (answer.reply === "always") {
    return answer.patterns ? `allowed always: ${answer.patterns.map(foreignLine).join(", ")}` : "allowed always"
  }
  return answer.message === undefined ? "refused" : `refused: ${foreignLine(answer.message)}`
}

function chosenWords({ answers }: Extract<Answer, { type: "choice" }>): string {
  return answers.map((chosen) => (chosen.length === 0 ? "no answer" : chosen.map(foreignLine).join(", "))).join(" · ")
}
