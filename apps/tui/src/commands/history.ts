import { plainLine } from "@pawl/plain-text"
import type { Command, UI } from "./command.ts"

/** Prompts that plain lines list: all of them would be read aloud. */
const MAX_LISTED = 20

export const history: Command = {
  name: "history",
  description: "Choose one of your earlier prompts, of all sessions.",
  argument: "[words]",
  run: pickPrompt,
}

/** Lets the user choose an earlier prompt, to change it or to send it again. */
export async function pickPrompt(ui: UI, words: string): Promise<void> {
  const stored = await ui.history.read()
  const wanted = words.toLowerCase()
  const newest = [...new Set(stored.toReversed())].filter((prompt) => prompt.toLowerCase().includes(wanted))
  if (newest.length === 0) {
    return ui.notice(words === "" ? "There are no earlier prompts." : `No earlier prompt has "${plainLine(words)}".`)
  }
  const listed = ui.hasEditor ? newest : newest.slice(0, MAX_LISTED)
  const left = newest.length - listed.length
  ui.pick<string>({
    title: left === 0 ? "Earlier prompts" : `Earlier prompts, the newest ${MAX_LISTED} of ${newest.length}`,
    isInOrder: true,
    items: listed.map((prompt) => ({ value: prompt, label: plainLine(prompt) })),
    onPick(prompt) {
      if (ui.hasEditor) return ui.draft(prompt)
      ui.pick<boolean>({
        title: `Send again: ${plainLine(prompt)}`,
        items: [
          { value: true, label: "Send it" },
          { value: false, label: "Leave it" },
        ],
        onPick(isSure) {
          if (isSure) ui.send(prompt, ui.view().status === "busy" ? "steer" : undefined)
        },
      })
    },
  })
}
