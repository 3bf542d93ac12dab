import type { MessageWithParts } from "@pawl/core"
import { plainLine } from "@pawl/plain-text"
import { ago, plural } from "@pawl/terminal-text/quantity"
import type { Command, UI } from "./command.ts"
import { promptText } from "./prompt-text.ts"
import { showReport, undoneTitle } from "./undo.ts"

/** A prompt of the user, and the files that its turn changed. */
interface Turn {
  readonly id: string
  readonly text: string
  readonly time: number
  readonly files: ReadonlySet<string>
}

export const rewind: Command = {
  name: "rewind",
  description: "Go back to before one of your prompts: messages, files or both.",
  async run(ui) {
    const { session, status } = ui.view()
    if (!session) return
    if (status === "busy") return ui.notice("pawl is working. Interrupt it before you go back.")
    const opened = await ui.source.openSession(session.id)
    const turns = turnsOf(opened.messages, opened.session.revert?.messageID).toReversed()
    if (turns.length === 0) return ui.notice("There is no prompt to go back to.")
    ui.pick<Turn>({
      title: "Go back to before",
      items: turns.map((turn) => ({
        value: turn,
        label: plainLine(turn.text),
        detail: `${turn.files.size === 0 ? "no files" : plural(turn.files.size, "file")} · ${ago(turn.time, Date.now())}`,
      })),
      onPick: (turn) => chooseSides(ui, session.id, turn),
    })
  },
}

const SIDES = [
  { label: "messages and files", sides: {}, what: "undone" },
  { label: "messages only", sides: { files: false }, what: "messages undone" },
  { label: "files only", sides: { chat: false }, what: "files undone" },
] as const

function chooseSides(ui: UI, sessionID: string, { id, text }: Turn): void {
  ui.pick<(typeof SIDES)[number]>({
    title: "Undo from there on",
    items: SIDES.map((side) => ({ value: side, label: side.label })),
    onPick({ sides, what }) {
      const undone = ui.source.undo(sessionID, { messageID: id, ...sides }).then((report) => {
        showReport(ui, report, undoneTitle(what, text))
        if (!("chat" in sides)) ui.draft(text)
      })
      undone.catch(ui.fail)
    },
  })
}

/** Returns the turns that are not undone, oldest first. `messages`: oldest first. */
function turnsOf(messages: readonly MessageWithParts[], undoneFrom: string | undefined): Turn[] {
  const turns: (Turn & { readonly files: Set<string> })[] = []
  for (const message of messages) {
    const { info, parts } = message
    if (undoneFrom !== undefined && info.id >= undoneFrom) break
    if (info.role === "user") {
      const text = promptText(message)
      if (text === undefined || info.delivery?.state === "waiting") continue
      turns.push({ id: info.id, text, time: info.time.created, files: new Set() })
      continue
    }
    for (const part of parts) {
      if (part.type !== "tool" && part.type !== "patch") continue
      for (const { path } of part.changes ?? []) turns.at(-1)?.files.add(path)
    }
  }
  return turns
}
