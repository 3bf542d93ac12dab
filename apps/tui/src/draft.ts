import type { PromptEditor } from "./terminal/prompt-editor.ts"

/** The text in the editor while a question is open: it is never an answer, and never lost. */
export interface Draft {
  isEmpty(): boolean
  /** When the last key went into it, epoch milliseconds. */
  readonly typed: number
  /** Takes note that a key goes into it. */
  type(): void
  /** Puts it aside, so that keys answer the question. Returns false if there is nothing to put aside. */
  putAside(): boolean
  /** Gives back what was put aside, before what was typed since. */
  takeBack(): void
}

export function createDraft(editor: Pick<PromptEditor, "text" | "setText" | "isCompleting">, now: () => number): Draft {
  let typed = -Infinity
  let aside: string | undefined
  const together = () => [aside, editor.text()].filter((text) => text !== undefined && text !== "").join("\n")

  return {
    isEmpty: () => editor.text() === "",
    get typed() {
      return typed
    },
    type: () => void (typed = now()),
    putAside() {
      if (editor.text() === "" || editor.isCompleting()) return false
      aside = together()
      editor.setText("")
      return true
    },
    takeBack() {
      if (aside === undefined) return
      editor.setText(together())
      aside = undefined
    },
  }
}
