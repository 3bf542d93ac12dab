import { plainLine } from "@pawl/plain-text"
import type { PickerItem } from "../dialogs/picker.ts"
import type { Subagent } from "../state/view.ts"
import type { Command, UI } from "./command.ts"

/** Newest messages of a subagent that are printed. */
const MAX_MESSAGES = 50

export const agents: Command = {
  name: "agents",
  aliases: ["tasks"],
  description: "Show the subagents of this session: read one, or stop it.",
  run(ui) {
    const subagents = [...ui.view().subagents.values()]
    if (subagents.length === 0) return ui.notice("No subagent has worked since this session was opened.")
    ui.pick<Subagent>({
      title: "Subagents",
      items: inTree(subagents, ui.view().session?.id ?? "", 0),
      onPick: (picked) => void read(ui, picked).catch(ui.fail),
      keys: {
        "ctrl+x": {
          label: "stops",
          run({ sessionID, isBusy, title }) {
            if (!isBusy) return ui.notice(`${JSON.stringify(title)} does not work any more.`)
            void ui.source.abort(sessionID).catch(ui.fail)
          },
        },
      },
    })
  },
}

function inTree(all: readonly Subagent[], parentID: string, depth: number): PickerItem<Subagent>[] {
  return all
    .filter((each) => each.parentID === parentID)
    .flatMap((each) => {
      const { agent, title, isBusy, activity, sessionID } = each
      const label = `${"  ".repeat(depth)}${isBusy ? "●" : "✓"} ${plainLine(agent)}: ${plainLine(title)}`
      const detail = isBusy ? plainLine(activity ?? "works") : "done"
      return [{ value: each, label, detail }, ...inTree(all, sessionID, depth + 1)]
    })
}

async function read(ui: UI, { sessionID, agent, title, isBusy }: Subagent): Promise<void> {
  const messages = await ui.source.messages(sessionID, MAX_MESSAGES)
  ui.divide(`${agent}: ${title}`)
  ui.print(messages)
  ui.divide(isBusy ? `${agent} is still working: /agents shows more` : `end of ${agent}`)
}
