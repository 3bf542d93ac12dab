import { keyTable, type ActionName } from "../keys/key-table.ts"
import type { Command } from "./command.ts"

export const help: Command = {
  name: "help",
  description: "List commands and keys.",
  async run(ui) {
    const { theme } = ui
    const projectCommands = await ui.source.commands()
    const own = ui.commands.map(
      ({ name, argument, description }) => [`/${name}${argument ? ` ${argument}` : ""}`, description] as const,
    )
    const others = projectCommands
      .filter(({ name }) => !ui.commands.some((command) => command.name === name))
      .map(({ name, description = "" }) => [`/${name}`, description] as const)
    const keys = (Object.keys(keyTable) as ActionName[]).map((name) => {
      return [(ui.keys[name] ?? keyTable[name].keys).join(", "), keyTable[name].description] as const
    })
    const table = (rows: readonly (readonly [string, string])[]) => rows.map(([name, text]) => ({ name, text }))
    ui.report([
      theme.strong("Commands"),
      ...table(own),
      ...(others.length > 0 ? ["", theme.strong("Prompts of this project")] : []),
      ...table(others),
      "",
      theme.strong("Keys"),
      ...table([...keys, ["ctrl+j, shift+enter", "new line"], ["up, down", "earlier prompts"]]),
      "",
      theme.strong("In a prompt"),
      ...table([
        ["@file, @agent", "attach a file, name a subagent"],
        ["#note", "add a line to the instructions of this project, or to your own"],
        ["!command", "run a shell command yourself; the model reads its output with the next prompt"],
      ]),
    ])
  },
}
