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
  /** Takes the editor's place, or stands above it. */
  readonly dialog: Dialog | undefined
  /** Shows the editor below the dialog. */
  readonly hasDraft: boolean
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
  hasDraft,
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
  const draft = dialog && !hasDraft ? undefined : editor.render(columns)
  const layout = { columns, rows: Math.max(4, rows - used - (draft ? draft.lines.length + 1 : 0)), theme, isSideBySide }
  const input = dialog ? above(dialog.render(layout), draft) : (draft ?? { lines: [] })
  const room = Math.max(0, rows - 1 - used - input.lines.length)
  const sides = [
    ...subagentLines(view, columns, theme),
    ...(showsTodos && view.status === "busy" ? todoLines(view, columns, theme) : []),
    ...queueLines(view, columns, theme),
    ...stashLines(stashed, columns, theme),
  ].slice(0, room)
  const head = ["", ...wait, ...sides, ...(wait.length + sides.length > 0 ? [""] : [])]
  return {
    lines: [...head, ...input.lines, status, ...ownLines],
    caret: input.caret && { row: input.caret.row + head.length, column: input.caret.column },
  }
}

/** Puts a dialog above the draft, which has the caret. */
function above(dialog: LiveRegion, draft: LiveRegion | undefined): LiveRegion {
  if (!draft) return dialog
  const lines = [...dialog.lines, "", ...draft.lines]
  const { caret } = draft
  return { lines, caret: caret && { row: caret.row + dialog.lines.length + 1, column: caret.column } }
}
