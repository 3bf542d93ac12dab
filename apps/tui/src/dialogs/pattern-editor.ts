import type { PermissionRequest } from "@pawl/core/host"
import { chosenPatternsProblem } from "@pawl/core/permission"
import type { Answer } from "@pawl/core/record"
import { wrap } from "@pawl/terminal-text/flow"
import type { KeyPress } from "../terminal/keys.ts"
import type { DialogLayout, DialogLines } from "./dialog.ts"
import { editedInput, type LineInput, shownInput } from "./line-input.ts"

/** Edits what `always` allows, one pattern after the other. */
export interface PatternEditor {
  handle(key: KeyPress): void
  render(layout: DialogLayout): DialogLines
}

export interface PatternEditorOptions {
  readonly request: Pick<PermissionRequest, "permission" | "patterns" | "always" | "metadata">
  readonly onAnswer: (answer: Extract<Answer, { type: "permission" }>) => void
  readonly onCancel: () => void
}

export function createPatternEditor({ request, onAnswer, onCancel }: PatternEditorOptions): PatternEditor {
  const { always } = request
  const initial = always.map(editable)
  const texts = [...initial]
  let at = 0
  let input = atEnd(texts[0] ?? "")
  let problem: string | undefined

  function enter(): void {
    texts[at] = input.text.trim()
    if (at + 1 < texts.length) return show(at + 1)
    // A pattern that the user left as it was stays the proposed one.
    const chosen = texts.map((text, index) => (text === initial[index] ? (always[index] ?? "") : text))
    const patterns = [...new Set(chosen.filter((text) => text !== ""))]
    if (chosen.every((text, index) => text === always[index])) return onAnswer({ type: "permission", reply: "always" })
    problem = chosenPatternsProblem(request, patterns)
    if (problem === undefined) return onAnswer({ type: "permission", reply: "always", patterns })
    show(0)
  }

  function show(index: number): void {
    at = index
    input = atEnd(texts[at] ?? "")
  }

  return {
    handle(key) {
      if (key.name === "escape") return onCancel()
      if (key.name === "enter") return enter()
      const edited = editedInput(input, key)
      if (!edited) return
      if (edited.text !== input.text) problem = undefined
      input = edited
    },
    render({ columns, theme }) {
      const title = texts.length === 1 ? "Always:" : `Always, ${at + 1} of ${texts.length}:`
      const shown = shownInput(input, columns - title.length - 2)
      const hint = `* matches any characters · ${at + 1 < texts.length ? "enter: next" : "enter allows this"} · esc goes back`
      const faint = wrap(hint, columns - 2).map((line) => theme.faint(`  ${line}`))
      const wrong = problem === undefined ? [] : wrap(problem, columns - 2).map((line) => theme.warn(`  ${line}`))
      return {
        lines: [`${theme.strong(title)} ${shown.text}`, ...wrong, ...faint],
        caret: { row: 0, column: title.length + 1 + shown.column },
      }
    },
  }
}

function atEnd(text: string): LineInput {
  return { text, caret: text.length }
}

/** Returns a pattern in which characters that cannot be seen in a line are `?`, which matches each of them. */
function editable(pattern: string): string {
  return pattern.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu, "?")
}
