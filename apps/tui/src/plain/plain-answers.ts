import { chosenPatternsProblem } from "@pawl/core/permission"
import type { Answer, Choice } from "@pawl/core/record"
import { barredLines, foreignLine } from "@pawl/terminal-text/foreign-lines"
import { canRemember, permissionLines } from "@pawl/terminal-text/permission-question"
import type { Theme } from "@pawl/terminal-text/theme"
import type { QuestionDetails } from "../source/source.ts"
import type { OpenQuestion } from "../state/view.ts"

export interface PlainLayout {
  readonly columns: number
  readonly theme: Theme
}

/** Renders a question with numbered answers. `number`: index of the question in a call that has several. */
export function questionLines(
  question: OpenQuestion,
  number: number,
  details: QuestionDetails,
  layout: PlainLayout,
): string[] {
  if (question.type === "permission") {
    const about = permissionLines(question.request, details, layout, "")
    return [
      ...about,
      ...permissionAnswers(question).map(({ label }, at) => `  ${at + 1}  ${label}`),
      `Type a number, ${canRemember(question.request) ? '"2 <pattern>" to allow another pattern always, ' : ""}or what to do instead.`,
    ]
  }
  const choice = question.request.questions[number]
  if (!choice) return []
  const { header, options, multiple, custom = true } = choice
  return [
    `? ${foreignLine(header)}`,
    ...barredLines(choice.question, layout.columns),
    ...options.map(
      ({ label, description }, at) =>
        `  ${at + 1}  ${foreignLine(label)}${description === "" ? "" : `: ${foreignLine(description)}`}`,
    ),
    `Type ${multiple ? "numbers, such as 1 3" : "a number"}${custom ? ", or your own words" : ""}.`,
  ]
}

/** Says which answers a question accepts. `number`: index of the question in a call that has several. */
export function answerWords(question: OpenQuestion, number: number): string {
  if (question.type === "permission")
    return `a number from 1 to ${permissionAnswers(question).length}, or say what to do instead`
  const { options = [], multiple = false, custom = true } = question.request.questions[number] ?? {}
  return `${multiple ? "numbers" : "a number"} from 1 to ${options.length}${custom ? ", or your own words" : ""}`
}

type Permission = Extract<OpenQuestion, { type: "permission" }>

function permissionAnswers({ request }: Permission) {
  return [
    { label: "Allow once", reply: "once" },
    ...(canRemember(request) ? [{ label: "Allow always", reply: "always" } as const] : []),
    { label: "Reject", reply: "reject" },
  ] as const
}

/** Returns the answer for a typed line, or a sentence about an invalid pattern. Undefined for an invalid line. */
export function permissionAnswer(
  question: Permission,
  typed: string,
): Extract<Answer, { type: "permission" }> | string | undefined {
  if (typed === "") return undefined
  const pattern = canRemember(question.request) ? /^2\s+(\S.*)$/.exec(typed)?.[1] : undefined
  if (pattern !== undefined) {
    const answer = { type: "permission", reply: "always", patterns: [pattern] } as const
    return chosenPatternsProblem(question.request, [pattern]) ?? { ...answer, patterns: [pattern] }
  }
  const reply = permissionAnswers(question)[Number(typed) - 1]?.reply
  if (reply !== undefined) return { type: "permission", reply }
  return /^\d+$/.test(typed) ? undefined : { type: "permission", reply: "reject", message: typed }
}

/** Returns the chosen labels for a typed line. Undefined for an invalid line. */
export function choiceAnswer(
  { options, multiple = false, custom = true }: Choice,
  typed: string,
): string[] | undefined {
  if (!/^\d{1,3}(?:[\s,]+\d{1,3})*$/.test(typed)) return custom && typed !== "" ? [typed] : undefined
  const labels = typed.split(/[\s,]+/).map((number) => options[Number(number) - 1]?.label)
  const known = labels.filter((label) => label !== undefined)
  return known.length === labels.length && (multiple || known.length === 1) ? known : undefined
}
