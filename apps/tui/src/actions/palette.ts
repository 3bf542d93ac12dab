import { type ActionName, keyTable } from "../keys/key-table.ts"
import type { ScreenUI } from "../commands/command.ts"

interface Entry {
  readonly label: string
  readonly detail: string
  readonly run: () => void
}

/** Actions that mean nothing in a list. */
const LEFT_OUT = new Set<ActionName>(["send", "queue", "palette", "interrupt", "suspend"])

/** Lets the user choose from all commands and actions. */
export async function showPalette(ui: ScreenUI, runAction: (name: ActionName) => void): Promise<void> {
  const others = await ui.source.commands()
  const own = ui.commands.map((command): Entry => ({
    label: `/${command.name}`,
    detail: command.description,
    run: () => void (async () => command.run(ui, ""))().catch(ui.fail),
  }))
  const prompts = others
    .filter(({ name }) => !ui.commands.some((command) => command.name === name))
    .map(({ name, description = "" }): Entry => ({
      ...{ label: `/${name}`, detail: description },
      run: () => ui.draft(`/${name} `),
    }))
  const actions = (Object.keys(keyTable) as ActionName[])
    .filter((name) => !LEFT_OUT.has(name))
    .map((name): Entry => {
      const keys = ui.keys[name] ?? keyTable[name].keys
      return {
        label: name,
        detail: [keys.join(", "), keyTable[name].description].filter((text) => text !== "").join(" · "),
        run: () => runAction(name),
      }
    })
  ui.pick<Entry>({
    title: "Commands",
    items: [...own, ...prompts, ...actions].map((entry) => ({
      value: entry,
      label: entry.label,
      detail: entry.detail,
    })),
    onPick: (entry) => entry.run(),
  })
}
