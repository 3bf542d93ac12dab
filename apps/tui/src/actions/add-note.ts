import { relative, sep } from "node:path"
import { plainLine } from "@pawl/plain-text"
import type { NoteFile } from "@pawl/runtime/notes/note-files"
import type { UI } from "../commands/command.ts"

/** Returns the note of a prompt that begins with `#`. Undefined for other prompts. */
export function noteIn(text: string): string | undefined {
  const note = text.startsWith("#") ? text.replace(/^#+/, "").trim() : ""
  return note === "" ? undefined : note
}

export interface ChosenNote {
  readonly note: string
  /** Sends the text as it was typed. */
  readonly send: () => void
  /** Called when the user has chosen a file, or to send the text. */
  readonly onChosen?: () => void
}

/** Asks to which file a note is added, and adds it. Or the text is a prompt, such as one that begins with a heading. */
export async function chooseNoteFile(
  ui: Pick<UI, "source" | "pick" | "notice" | "fail">,
  { note, send, onChosen = () => undefined }: ChosenNote,
): Promise<void> {
  const { source } = ui
  const files = await source.noteFiles().catch((error: unknown) => {
    ui.fail(error)
    return []
  })
  const items = files.map((file) => ({
    value: file,
    label: plainLine(shownPath(file, source.directory)),
    detail: `${file.owner === "project" ? "instructions of this project" : "your own instructions"}${file.isNew ? ", a new file" : ""}`,
  }))
  ui.pick<NoteFile | undefined>({
    title: files.length > 0 ? "Add this note to" : "This begins with #",
    items: [...items, { value: undefined, label: "Send it as a prompt" }],
    onPick(file) {
      onChosen()
      if (!file) return send()
      const added = source.addNote(file, note).then(() => {
        ui.notice(`Added below "Notes" of ${shownPath(file, source.directory)}: ${plainLine(note)}`)
      })
      added.catch(ui.fail)
    },
  })
}

function shownPath({ path }: NoteFile, directory: string): string {
  const inside = relative(directory, path)
  return inside === ".." || inside.startsWith(`..${sep}`) ? path : inside
}
