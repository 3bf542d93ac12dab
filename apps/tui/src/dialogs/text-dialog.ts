import { styledWidth } from "../terminal/text-width.ts"
import type { Dialog } from "./dialog.ts"
import { editedInput, shownInput } from "./line-input.ts"

export interface TextQuestion {
  readonly title: string
  /** Text that the user may change. Default: empty. */
  readonly text?: string
  /** Called after the question is closed, unless the text is empty. */
  readonly onEnter: (text: string) => void
}

export interface TextDialogOptions extends TextQuestion {
  readonly onCancel: () => void
}

/** Asks for a text in one line. */
export function createTextDialog({ title, text = "", onEnter, onCancel }: TextDialogOptions): Dialog {
  let input = { text, caret: text.length }
  return {
    handle(key) {
      if (key.name === "escape") return onCancel()
      if (key.name === "enter") return onEnter(input.text.trim())
      input = editedInput(input, key) ?? input
    },
    render({ theme, columns }) {
      const before = styledWidth(title) + 1
      const shown = shownInput(input, columns - before - 1)
      return {
        lines: [`${theme.strong(title)} ${shown.text}`, theme.faint("  enter accepts · esc closes")],
        caret: { row: 0, column: Math.min(columns - 1, before + shown.column) },
      }
    },
  }
}
