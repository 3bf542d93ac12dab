import { plainLine } from "@pawl/plain-text"
import type { Command } from "./command.ts"

export const agent: Command = {
  name: "agent",
  description: "Choose the agent.",
  argument: "[name]",
  async run(ui, argument) {
    const known = await ui.source.agents()
    if (argument !== "") {
      if (!known.some(({ name }) => name === argument)) {
        throw new Error(`There is no agent "${argument}". To choose from: ${known.map(({ name }) => name).join(", ")}.`)
      }
      return ui.choose({ agent: argument })
    }
    ui.pick<string>({
      title: "Agents",
      items: known.map(({ name, description = "" }) => ({
        value: name,
        label: name,
        detail: plainLine(description),
      })),
      selected: Math.max(
        0,
        known.findIndex(({ name }) => name === ui.view().agent),
      ),
      onPick(name) {
        ui.choose({ agent: name })
      },
    })
  },
}
