import type { Command } from "./command.ts"

export const fork: Command = {
  name: "fork",
  description: "Continue in a copy of this session; this one stays as it is.",
  async run(ui) {
    const { session } = ui.view()
    if (!session) return
    const copy = await ui.source.fork(session.id)
    await ui.openSession(copy.id)
    ui.notice("This is the copy. /sessions opens the session from before.")
  },
}
