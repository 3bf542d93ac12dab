import type { Command, UI } from "./command.ts"

export const rename: Command = {
  name: "rename",
  description: "Change the title of this session.",
  argument: "[title]",
  async run(ui, argument) {
    const { session } = ui.view()
    if (!session) return
    if (argument !== "") return setTitle(ui, session.id, argument)
    const onEnter = (title: string) => void setTitle(ui, session.id, title).catch(ui.fail)
    ui.ask({ title: "Title:", text: session.title, onEnter })
  },
}

async function setTitle(ui: UI, sessionID: string, title: string): Promise<void> {
  await ui.source.rename(sessionID, title)
  ui.notice(`The session is now called ${JSON.stringify(title)}.`)
}
