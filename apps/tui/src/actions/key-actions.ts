import type { ScreenUI } from "../commands/command.ts"
import { commandIn } from "../commands/command-list.ts"
import { pickPrompt } from "../commands/history.ts"
import { rewind } from "../commands/rewind.ts"
import type { ActionName } from "../keys/key-table.ts"
import { chooseNoteFile, noteIn } from "./add-note.ts"
import { cycleModel, cycleVariant } from "./cycle-model.ts"
import { showPalette } from "./palette.ts"
import { SHELL_BUSY, shellCommand } from "./run-shell.ts"
import type { KeyPress } from "../terminal/keys.ts"

/** Runs an action. Returns false if it does not apply now, so that the editor gets the key. */
type Action = (ui: ScreenUI, key: KeyPress) => boolean

/** The effects of the actions of `keys/key-table.ts`. */
export const keyActions: Readonly<Record<ActionName, Action>> = {
  send: (ui, key) => submit(ui, key, "steer"),
  queue: (ui, key) => submit(ui, key, "queue"),
  "take-back"(ui) {
    const { queue, session } = ui.view()
    const newest = queue.at(-1)
    if (!newest || !session) return false
    void takeBack(ui, session.id, newest).catch(ui.fail)
    return true
  },
  interrupt(ui) {
    const { session, status } = ui.view()
    if (ui.editor.isCompleting() || status === "idle" || !session) return false
    void ui.source.abort(session.id).catch(ui.fail)
    return true
  },
  rewind(ui) {
    if (ui.view().status === "busy" || ui.editor.text() !== "") return false
    void (async () => rewind.run(ui, ""))().catch(ui.fail)
    return true
  },
  "search-prompts"(ui) {
    void pickPrompt(ui, "").catch(ui.fail)
    return true
  },
  palette(ui) {
    const runAction = (name: ActionName) => void keyActions[name](ui, { name: "", data: "" })
    void showPalette(ui, runAction).catch(ui.fail)
    return true
  },
  "edit-prompt"(ui) {
    void ui.editExternally().catch(ui.fail)
    return true
  },
  stash: (ui) => ui.stash(),
  "paste-image"(ui) {
    void pasteImage(ui).catch(ui.fail)
    return true
  },
  "cycle-agent"(ui) {
    void cycleAgent(ui).catch(ui.fail)
    return true
  },
  "cycle-model"(ui) {
    void cycleModel(ui).catch(ui.fail)
    return true
  },
  "cycle-variant"(ui) {
    void cycleVariant(ui).catch(ui.fail)
    return true
  },
  fold(ui) {
    ui.notice(ui.toggleFold() ? "Outputs are shown in full from here on." : "Outputs are folded from here on.")
    return true
  },
  todos(ui) {
    ui.toggleTodos()
    return true
  },
  redraw(ui) {
    ui.redraw()
    return true
  },
  suspend(ui) {
    ui.suspend()
    return true
  },
  leave(ui) {
    const { session, status } = ui.view()
    if (ui.editor.text() !== "") ui.editor.setText("")
    else if (status === "busy" && session) void ui.source.abort(session.id).catch(ui.fail)
    return true
  },
  exit(ui) {
    if (ui.editor.text() !== "") return false
    ui.leave()
    return true
  },
}

function submit(ui: ScreenUI, key: KeyPress, delivery: "steer" | "queue"): boolean {
  const { editor } = ui
  if (editor.isCompleting()) {
    editor.handle(key)
    // A completed command is sent at once; a completed name of a file is not.
    if (!/^\/\S+$/.test(editor.text().trim())) return true
  }
  const text = editor.text().trim()
  // A completion that was left begins with these.
  if (["", "/", "!", "@", "#"].includes(text)) return true
  // As in shells, a backslash at the end continues in the next line.
  if (text.endsWith("\\")) {
    editor.setText(`${editor.text().trimEnd().slice(0, -1)}\n`)
    return true
  }
  const command = shellCommand(text)
  if (command !== undefined && ui.view().status === "busy") {
    ui.notice(SHELL_BUSY)
    return true
  }
  const deliver = () => ui.send(text, ui.view().status === "busy" ? delivery : undefined)
  const note = noteIn(text)
  // Until the user has chosen, the text stays in the editor.
  if (note !== undefined) {
    const onChosen = () => {
      editor.setText("")
      ui.remember(text)
    }
    void chooseNoteFile(ui, { note, send: deliver, onChosen }).catch(ui.fail)
    return true
  }
  editor.setText("")
  ui.remember(text)
  const found = commandIn(text, ui.commands)
  if (command !== undefined) ui.shell(command)
  else if (found) void (async () => found.command.run(ui, found.argument))().catch(ui.fail)
  else deliver()
  return true
}

async function pasteImage(ui: ScreenUI): Promise<void> {
  const { clipboardImage } = await import("../terminal/images.ts")
  ui.editor.insert(`${ui.attachments.addImage(await clipboardImage())} `)
  ui.changed()
}

async function takeBack(
  ui: ScreenUI,
  sessionID: string,
  { id, text }: { readonly id: string; readonly text: string },
): Promise<void> {
  if (!(await ui.source.withdraw(sessionID, id))) return ui.notice("That prompt was delivered already.")
  ui.editor.setText([text, ui.editor.text()].filter((each) => each !== "").join("\n"))
  ui.changed()
}

async function cycleAgent(ui: ScreenUI): Promise<void> {
  const agents = await ui.source.agents()
  const at = agents.findIndex(({ name }) => name === ui.view().agent)
  const next = agents[(at + 1) % agents.length]
  if (next) ui.choose({ agent: next.name })
}
