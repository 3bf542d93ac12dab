import type { Command } from "./command.ts"

export const compact: Command = {
  name: "compact",
  description: "Replace older messages by a summary.",
  argument: "[topics to keep]",
  async run(ui, argument) {
    const { session } = ui.view()
    if (session) await ui.source.compact(session.id, argument)
  },
}
