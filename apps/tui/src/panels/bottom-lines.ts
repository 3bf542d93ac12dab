import type { Theme } from "@pawl/terminal-text/theme"
import { clip } from "@pawl/terminal-text/width"
import type { Dialog } from "../dialogs/dialog.ts"
import type { LiveRegion } from "../screen/compositor.ts"
import type { PromptEditor } from "../terminal/prompt-editor.ts"
import { queueLines, stashLines, subagentLines, todoLines } from "./side-lines.ts"
import { type StatusFacts, statusLine, waitLines } from "./status-lines.ts"

export interface BottomOptions {
  readonly facts: StatusFacts
  readonly editor: PromptEditor
  /** Takes the editor's place. */
  readonly dialog: Dialog | undefined
  readonly showsTodos: boolean
  /** Prompt that is put aside. */
  readonly stashed?: string | undefined
  readonly columns: number
  readonly rows: number
  readonly theme: Theme
  /** Shows the old text of a change beside the new one. */
  readonly isSideBySide: boolean
  /** Output of the user's status command. */
  readonly own?: string | undefined
}

/** Renders what stands below the transcript: what is going on, then the editor or a dialog, then the status. */
export function bottomLines({
  facts,
  editor,
  dialog,
  showsTodos,
  stashed,
  columns,
  rows,
  theme,
  isSideBySide,
  own = "",
}: BottomOptions): LiveRegion {
  const { view } = facts
  const status = statusLine(facts, columns, theme)
  const wait = waitLines(facts, columns, theme)
  const ownLines = own === "" ? [] : [theme.faint(clip(own, columns - 1))]
  const used = wait.length + 3 + ownLines.length
  const layout = { columns, rows: Math.max(4, rows - used), theme, isSideBySide }
  const input = dialog ? dialog.render(layout) : editor.render(columns)
  const room = Math.max(0, rows - 1 - used - input.lines.length)
  const sides = [
    ...subagentLines(view, columns, theme),
    ...(showsTodos && view.status === "busy" ? todoLines(view, columns, theme) : []),
    ...queueLines(view, columns, theme),
    ...stashLines(stashed, columns, theme),
  ].slice(0, room)
  const above = ["", ...wait, ...sides, ...(wait.length + sides.length > 0 ? [""] : [])]
  return {
    lines: [...above, ...input.lines, status, ...ownLines],
    caret: input.caret && { row: input.caret.row + above.length, column: input.caret.column },
  }
}
