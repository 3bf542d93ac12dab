import { patchLines, statLines, undoLines } from "@pawl/terminal-text/undo-lines"
import type { Command, UI } from "./command.ts"

const COLUMNS = 78

export const diff: Command = {
  name: "diff",
  description: "Show what this session, or its last turn, has changed in files.",
  argument: "[last]",
  async run(ui, argument) {
    const { session } = ui.view()
    if (!session) return
    if (argument !== "" && argument !== "last")
      throw new Error(`/diff knows no "${argument}". Use /diff or /diff last.`)
    const { files, uncovered } = await ui.source.diff(
      session.id,
      argument === "last" ? await lastPrompt(ui, session.id) : undefined,
    )
    const { theme } = ui
    const notKept = undoLines({ files: [], uncovered }, { theme, directory: ui.source.directory })
    if (files.length === 0 && notKept.length === 0)
      return ui.notice(`${argument === "last" ? "The last turn" : "This session"} has changed no files.`)
    if (files.length > 0) ui.report(statLines(files, { columns: COLUMNS, theme }))
    // A block for each file, so that the window never has to hold all of them.
    for (const file of files) ui.report(patchLines(file, { theme, isPlain: true }).map((line) => ui.source.mask(line)))
    if (notKept.length > 0) ui.report(["Also changed, maybe:", ...notKept])
  },
}

async function lastPrompt(ui: UI, sessionID: string): Promise<string | undefined> {
  const { messages } = await ui.source.openSession(sessionID)
  return messages.findLast(({ info }) => info.role === "user" && info.delivery?.state !== "waiting")?.info.id
}
