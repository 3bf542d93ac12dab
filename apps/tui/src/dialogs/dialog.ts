import type { Theme } from "@pawl/terminal-text/theme"
import type { Caret } from "../screen/compositor.ts"
import type { KeyPress } from "../terminal/keys.ts"

export interface DialogLayout {
  readonly columns: number
  /** Lines that the dialog may have at most. */
  readonly rows: number
  readonly theme: Theme
  /** Shows the old text of a change beside the new one. Default: false */
  readonly isSideBySide?: boolean
}

export interface DialogLines {
  readonly lines: readonly string[]
  readonly caret?: Caret
}

/** Takes the place of the editor, and all keys but those that interrupt and leave. */
export interface Dialog {
  render(layout: DialogLayout): DialogLines
  handle(key: KeyPress): void
  /** Returns true if Escape closes something within the dialog, such as a text field. Default: false. */
  takesEscape?(): boolean
}
