import type { FileDiff } from "@pawl/core/host"
import { plainText } from "@pawl/plain-text"
import { foreignLine } from "@pawl/terminal-text/foreign-lines"
import { numberedLines, sideBySideLines } from "@pawl/terminal-text/side-by-side"
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
    const show = (shown: readonly FileDiff[]) => {
      if (shown.length > 0) ui.report(statLines(shown, { columns: COLUMNS, theme }))
      // A block for each file, so that the window never has to hold all of them.
      for (const file of shown) ui.report(fileLines(ui, file))
      if (notKept.length > 0) ui.report(["Also changed, maybe:", ...notKept])
    }
    if (files.length < 2) return show(files)
    ui.pick<readonly FileDiff[]>({
      title: "Changed files",
      items: [
        { value: files, label: "All files", detail: counts(files) },
        ...files.map((file) => ({ value: [file], label: foreignLine(file.file), detail: counts([file]) })),
      ],
      onPick: show,
    })
  },
}

function counts(files: readonly FileDiff[]): string {
  const sum = (key: "additions" | "deletions") => files.reduce((total, file) => total + file[key], 0)
  return `+${sum("additions")} -${sum("deletions")}`
}

function fileLines(ui: UI, file: FileDiff): string[] {
  const { theme, source } = ui
  const mask = (text: string) => source.mask(text)
  const patch = patchLines(file, { theme, isPlain: true }).map(mask)
  if (!ui.isSideBySide() || !file.patch?.includes("@@")) return patch
  const lines = numberedLines(file.patch).map((line) => ({ ...line, text: plainText(mask(line.text)) }))
  return [...patch.slice(0, 1), ...sideBySideLines(lines, { columns: ui.columns(), theme })]
}

async function lastPrompt(ui: UI, sessionID: string): Promise<string | undefined> {
  const { messages } = await ui.source.openSession(sessionID)
  return messages.findLast(({ info }) => info.role === "user" && info.delivery?.state !== "waiting")?.info.id
}
