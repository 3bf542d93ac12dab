import { homedir } from "node:os"
import { contextLines } from "@pawl/terminal-text/context-lines"
import type { Command } from "./command.ts"

export const context: Command = {
  name: "context",
  description: "Show what fills the context window.",
  async run(ui) {
    const { session } = ui.view()
    if (!session) return
    const report = await ui.source.context(session.id)
    const layout = { columns: ui.columns(), theme: ui.theme, now: Date.now(), home: homedir() }
    ui.report(contextLines(session, report, layout))
  },
}
