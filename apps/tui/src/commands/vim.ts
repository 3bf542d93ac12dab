import type { Command } from "./command.ts"

export const vim: Command = {
  name: "vim",
  description: "Use the keys of vim in the prompt, or the usual ones again.",
  run(ui) {
    if (!ui.switchEditor) throw new Error("Plain lines have no editor.")
    const keys = ui.switchEditor()
    ui.notice(
      keys === "vim"
        ? 'The prompt has the keys of vim until you leave. To keep them: "editor": "vim" in tui.json.'
        : "The prompt has the usual keys.",
    )
  },
}
