import type { Command } from "./command.ts"

export const continueWork: Command = {
  name: "continue",
  description: "Continue a turn that was interrupted.",
  async run(ui) {
    const { session, status } = ui.view()
    if (session && status === "idle") await ui.source.resume(session.id)
  },
}
