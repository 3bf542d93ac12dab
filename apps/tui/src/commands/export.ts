import { resolve } from "node:path"
import type { Command, UI } from "./command.ts"

export const exportSession: Command = {
  name: "export",
  description: "Write this session into a file: as Markdown, or as a document for pawl session import (.json).",
  argument: "[file]",
  async run(ui, argument) {
    const { session } = ui.view()
    if (!session) return
    if (argument !== "") return write(ui, session.id, argument)
    const onEnter = (file: string) => void write(ui, session.id, file).catch(ui.fail)
    ui.ask({ title: "File (.md or .json):", text: `${session.id}.md`, onEnter })
  },
}

async function write(ui: UI, sessionID: string, file: string): Promise<void> {
  const path = resolve(ui.source.directory, file)
  await ui.source.export(sessionID, path)
  ui.notice(`Wrote ${path}. Secrets that are known are masked; review it before you share it.`)
}
