import type { ChoiceRequest } from "@pawl/core/host"
import { barredLines, foreignLine } from "@pawl/terminal-text/foreign-lines"
import type { Dialog } from "./dialog.ts"
import { editedInput, emptyInput, type LineInput, shownInput } from "./line-input.ts"
import { type Option, optionAfter, optionLines } from "./options.ts"

export interface ChoiceDialogOptions {
  readonly request: ChoiceRequest
  /** Name of the subagent that asks. */
  readonly subagent?: string | undefined
  /** Answers of all questions: the chosen labels of each. */
  readonly onAnswer: (answers: string[][]) => void
}

/** Asks the questions of a call, one after the other. */
export function createChoiceDialog({ request, subagent, onAnswer }: ChoiceDialogOptions): Dialog {
  const { questions } = request
  const answers: string[][] = []
  let at = 0
  let chosen = new Set<string>()
  let own: LineInput | undefined

  const question = () => questions[answers.length]
  function options(): Option[] {
    const current = question()
    if (!current) return []
    const { options: offered, multiple = false, custom = true } = current
    return [
      ...offered.map(({ label, description }) => ({
        ...{ label: foreignLine(label), detail: foreignLine(description) },
        ...(multiple ? { isChosen: chosen.has(label) } : {}),
      })),
      ...(multiple ? [{ label: "Done" }] : []),
      ...(custom ? [{ label: "Something else" }] : []),
    ]
  }
  function settle(labels: readonly string[]): void {
    answers.push([...labels])
    at = 0
    chosen = new Set()
    own = undefined
    if (answers.length === questions.length) onAnswer(answers)
  }
  function pick(index: number): void {
    const { options: offered = [], multiple = false } = question() ?? {}
    const label = offered[index]?.label
    if (label === undefined) {
      if (multiple && index === offered.length) settle([...chosen])
      else own = emptyInput
    } else if (!multiple) settle([label])
    else if (!chosen.delete(label)) chosen.add(label)
  }

  return {
    takesEscape: () => own !== undefined,
    handle(key) {
      if (!own) {
        const next = optionAfter(key, at, options())
        if (next) ({ at } = next)
        return next?.isPicked ? pick(at) : undefined
      }
      if (key.name === "escape") own = undefined
      else if (key.name === "enter") settle([...chosen, own.text.trim()].filter((each) => each !== ""))
      else own = editedInput(own, key) ?? own
    },
    render({ columns, theme }) {
      const current = question()
      if (!current) return { lines: [] }
      const count = questions.length > 1 ? ` · ${answers.length + 1} of ${questions.length}` : ""
      const who = subagent === undefined ? "" : ` · ${foreignLine(subagent)}, a subagent, asks`
      const head = `${theme.accent("?")} ${theme.strong(foreignLine(current.header))}${theme.faint(count + who)}`
      const asked = [head, ...barredLines(current.question, columns), ""]
      if (!own) return { lines: [...asked, ...optionLines(options(), at, columns, theme)] }
      const title = "Answer:"
      const shown = shownInput(own, columns - title.length - 2)
      return {
        lines: [...asked, `${theme.strong(title)} ${shown.text}`, theme.faint("  enter answers · esc goes back")],
        caret: { row: asked.length, column: title.length + 1 + shown.column },
      }
    },
  }
}
