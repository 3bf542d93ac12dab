import type { PermissionRequest } from "@pawl/core/host"
import type { Answer } from "@pawl/core/record"
import { canRemember, permissionLines } from "@pawl/terminal-text/permission-question"
import type { QuestionDetails } from "../source/source.ts"
import type { Dialog, DialogLayout, DialogLines } from "./dialog.ts"
import { editedInput, emptyInput, type LineInput, shownInput } from "./line-input.ts"
import { createPatternEditor, type PatternEditor } from "./pattern-editor.ts"
import { type Option, optionAfter, optionLines } from "./options.ts"

export interface PermissionDialogOptions {
  readonly request: PermissionRequest
  /** Name of the subagent that asks. */
  readonly subagent?: string | undefined
  /** Returns what is known beside the request so far. */
  readonly details: () => QuestionDetails
  /** Prints lines for which the dialog has no room. */
  readonly print: (lines: readonly string[]) => void
  readonly onAnswer: (answer: Extract<Answer, { type: "permission" }>) => void
}

/** Asks for a permission: once, always, no, or no with what to do instead. */
export function createPermissionDialog({
  request,
  subagent,
  details,
  print,
  onAnswer,
}: PermissionDialogOptions): Dialog {
  const answers: readonly (Option & { readonly reply: "once" | "always" | "edit" | "reject" | "advise" })[] = [
    { label: "Allow once", reply: "once" },
    ...(canRemember(request)
      ? [
          { label: "Allow always", reply: "always" } as const,
          { label: "Allow always: edit the pattern", reply: "edit" } as const,
        ]
      : []),
    { label: "Reject, and end the turn", reply: "reject" },
    { label: "Reject, and say what to do instead", reply: "advise" },
  ]
  let at = 0
  let advice: LineInput | undefined
  let patterns: PatternEditor | undefined
  let isPrinted = false

  /** Prints a request that is too long for the window, once all of it is known: nothing of it may be hidden. */
  function showWhole(lines: readonly string[]): void {
    if (isPrinted || details().input === undefined) return
    isPrinted = true
    print(lines)
  }

  function pick(index: number): void {
    const reply = answers[index]?.reply
    if (reply === "advise") advice = emptyInput
    else if (reply === "edit")
      patterns = createPatternEditor({ request, onAnswer, onCancel: () => (patterns = undefined) })
    else if (reply) onAnswer({ type: "permission", reply })
  }

  return {
    takesEscape: () => advice !== undefined || patterns !== undefined,
    handle(key) {
      if (patterns) return patterns.handle(key)
      if (!advice) {
        const next = optionAfter(key, at, answers)
        if (next) ({ at } = next)
        return next?.isPicked ? pick(at) : undefined
      }
      if (key.name === "escape") advice = undefined
      else if (key.name === "enter") {
        const message = advice.text.trim()
        onAnswer({ type: "permission", reply: "reject", ...(message === "" ? {} : { message }) })
      } else advice = editedInput(advice, key) ?? advice
    },
    render(layout) {
      const { columns, rows, theme } = layout
      const about = permissionLines(request, { subagent, ...details() }, layout, "")
      const room = rows - answers.length - 2
      const asked = about.length <= room ? about : shortened(about, room, layout)
      if (about.length > room) showWhole(about)
      if (patterns) return below([...asked, ""], patterns.render(layout))
      if (advice) return adviceLines(asked, advice, layout)
      return { lines: [...asked, "", ...optionLines(answers, at, columns, theme)] }
    },
  }
}

function below(above: readonly string[], { lines, caret }: DialogLines): DialogLines {
  return { lines: [...above, ...lines], ...(caret && { caret: { ...caret, row: caret.row + above.length } }) }
}

function adviceLines(asked: readonly string[], advice: LineInput, { columns, theme }: DialogLayout): DialogLines {
  const title = "Instead:"
  const shown = shownInput(advice, columns - title.length - 2)
  return {
    lines: [
      ...asked,
      "",
      `${theme.strong(title)} ${shown.text}`,
      theme.faint("  enter rejects with it · esc goes back"),
    ],
    caret: { row: asked.length + 1, column: title.length + 1 + shown.column },
  }
}

/** Shows the first and the last lines: what is asked, and what `always` means. */
function shortened(lines: readonly string[], rows: number, { theme }: DialogLayout): string[] {
  const kept = Math.max(rows - 1, 2)
  const head = Math.ceil(kept / 2)
  return [...lines.slice(0, head), theme.warn("  … all lines are above"), ...lines.slice(head - kept)]
}
