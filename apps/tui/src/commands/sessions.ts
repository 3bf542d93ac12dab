import { plainLine } from "@pawl/plain-text"
import { ago } from "@pawl/terminal-text/quantity"
import type { Command } from "./command.ts"

const MAX_LISTED = 200

export const sessions: Command = {
  name: "sessions",
  aliases: ["resume"],
  description: "Open another session of this directory.",
  async run(ui) {
    const found = await ui.source.sessions({ limit: MAX_LISTED })
    if (found.length === 0) return ui.notice("There is no other session of this directory.")
    const items = found.map(({ id, title, time }) => ({
      value: id,
      label: plainLine(title),
      detail: ago(time.updated, Date.now()),
    }))
    ui.pick<string>({
      title: "Sessions",
      items,
      onPick(id) {
        void ui.openSession(id).catch(ui.fail)
      },
    })
  },
}
