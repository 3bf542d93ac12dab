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
    ui.ask({ title: "File (.md or .json):", text: `${fileName(session.title)}.md`, onEnter })
  },
}

const MAX_NAME = 60

/** Returns a title as the name of a file. */
function fileName(title: string): string {
  const name = title.replaceAll(/[^\p{Letter}\p{Mark}\p{Number}]+/gu, "-").replaceAll(/^-+|-+$/g, "")
  return name.slice(0, MAX_NAME).toWellFormed().replaceAll("\uFFFD", "") || "session"
}

async function write(ui: UI, sessionID: string, file: string): Promise<void> {
  const path = resolve(ui.source.directory, file)
  await ui.source.export(sessionID, path)
  ui.notice(`Wrote ${path}. Secrets that are known are masked; review it before you share it.`)
}
