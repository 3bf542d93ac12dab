import type { Choice } from "@pawl/core/record"
import { barredLines, foreignLine, foreignLines } from "@pawl/terminal-text/foreign-lines"
import { wrap } from "@pawl/terminal-text/flow"
import type { AskingCall, QuestionLayout } from "@pawl/terminal-text/permission-question"

/** The position of a question among the questions of a call. */
export interface ChoicePosition {
  /** Counted from 1. */
  readonly number: number
  readonly total: number
}

/** Renders the question, its choices, and how to answer. */
export function choiceLines(
  choice: Choice,
  position: ChoicePosition,
  call: AskingCall,
  layout: QuestionLayout,
): string[] {
  const { columns, theme } = layout
  const who = call.subagent === undefined ? "" : ` · ${foreignLine(call.subagent)}, a subagent, asks`
  const which = position.total > 1 ? ` · ${position.number} of ${position.total}` : ""
  const head = wrap(`? ${foreignLine(choice.header)}${which}${who}`, columns)
  return [
    ...head.map((line, at) => (at === 0 ? `${theme.accent("?")} ${theme.strong(line.slice(2))}` : theme.strong(line))),
    ...barredLines(choice.question, columns),
    ...choice.options.flatMap((option, at) => optionLines(option, at + 1, layout)),
    ...wrap(`  ${hint(choice)}`, columns).map((line) => theme.faint(line)),
  ]
}

function optionLines(
  { label, description }: Choice["options"][number],
  number: number,
  layout: QuestionLayout,
): string[] {
  const { columns, theme } = layout
  const mark = `  ${number}  `
  const indent = " ".repeat(mark.length)
  const [first = "", ...more] = foreignLines(foreignLine(label), columns - mark.length)
  const below = description.trim() === "" ? [] : foreignLines(foreignLine(description), columns - mark.length)
  return [
    `${theme.accent(mark)}${theme.strong(first)}`,
    ...more.map((line) => `${indent}${theme.strong(line)}`),
    ...below.map((line) => `${indent}${theme.faint(line)}`),
  ]
}

function hint({ options, multiple, custom = true }: Choice): string {
  if (options.length === 0) return "your own words; nothing, or Esc: no answer"
  const numbers = multiple ? "numbers, such as 1 3" : "a number"
  return `${numbers}${custom ? ", or your own words" : ""}; nothing, or Esc: no answer`
}

/** Returns the chosen labels or the user's own text; empty if the user skips the question. Undefined for an invalid answer. */
export function parseChoice(typed: string, { options, multiple = false, custom = true }: Choice): string[] | undefined {
  if (typed === "") return []
  const numbers = /^\d{1,3}(?:[\s,]+\d{1,3})*$/.test(typed) ? typed.split(/[\s,]+/).map(Number) : undefined
  const chosen = numbers?.map((number) => options[number - 1]?.label)
  if (chosen && chosen.every((label) => label !== undefined) && (multiple || chosen.length === 1)) {
    return [...new Set(chosen)]
  }
  const named = options.find(({ label }) => label.toLowerCase() === typed.toLowerCase())
  if (named) return [named.label]
  return custom && !numbers ? [typed] : undefined
}
