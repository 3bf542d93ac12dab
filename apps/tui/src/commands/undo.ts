import type { UndoReport } from "@pawl/core"
import { plainLine } from "@pawl/plain-text"
import { undoLines } from "@pawl/terminal-text/undo-lines"
import { clip } from "@pawl/terminal-text/width"
import type { Command, UI } from "./command.ts"
import { promptText } from "./prompt-text.ts"

export const undo: Command = {
  name: "undo",
  description: "Undo the last turn: its messages and its changes of files.",
  async run(ui) {
    const { session } = ui.view()
    if (!session) return
    const report = await ui.source.undo(session.id)
    const from = report.undone.chat?.messageID ?? report.session.revert?.messageID
    const messages = from === undefined ? [] : await ui.source.messages(session.id, MAX_TURN)
    const prompt = messages.find(({ info }) => info.id === from)
    showReport(ui, report, undoneTitle("undone", prompt && promptText(prompt)))
  },
}

export const redo: Command = {
  name: "redo",
  description: "Take the last undo back.",
  async run(ui) {
    const { session } = ui.view()
    if (!session) return
    showReport(ui, await ui.source.redo(session.id), "the last undo is taken back", true)
  },
}

/** Messages in which the undone prompt is looked for. */
const MAX_TURN = 1000
const MAX_PROMPT = 40

/** Names what is undone from a prompt on. */
export function undoneTitle(what: string, prompt: string | undefined): string {
  const from = prompt === undefined ? "" : ` from "${clip(plainLine(prompt), MAX_PROMPT)}" on`
  return `${what}${from}: /redo takes it back, until the next prompt`
}

/** Shows what an undo or a redo did with each file. */
export function showReport(ui: UI, report: UndoReport, title: string, isRedo = false): void {
  ui.divide(title)
  const lines = undoLines(report, { theme: ui.theme, directory: ui.source.directory, isRedo })
  if (lines.length > 0) ui.report(lines)
}
