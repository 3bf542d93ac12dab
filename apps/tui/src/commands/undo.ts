import type { UndoReport } from "@pawl/core"
import { undoLines } from "@pawl/terminal-text/undo-lines"
import type { Command, UI } from "./command.ts"

export const undo: Command = {
  name: "undo",
  description: "Undo the last turn: its messages and its changes of files.",
  async run(ui) {
    const { session } = ui.view()
    if (!session) return
    const report = await ui.source.undo(session.id)
    showReport(ui, report, "undone: /redo takes it back, until the next prompt")
  },
}

export const redo: Command = {
  name: "redo",
  description: "Take the last undo back.",
  async run(ui) {
    const { session } = ui.view()
    if (!session) return
    showReport(ui, await ui.source.redo(session.id), "the last undo is taken back")
  },
}

/** Shows what an undo or a redo did with each file. */
export function showReport(ui: UI, report: UndoReport, title: string): void {
  ui.divide(title)
  const lines = undoLines(report, { theme: ui.theme, directory: ui.source.directory })
  if (lines.length > 0) ui.report(lines)
}
