import type { KeyPress } from "../terminal/keys.ts"
import type { PromptEditor } from "../terminal/prompt-editor.ts"
import { cellsOf } from "./cells.ts"
import { afterOther } from "./run-command.ts"
import { vimKey } from "./vim.ts"
import { freshState, type VimState, type VimStep } from "./vim-state.ts"
import { selection } from "./visual.ts"

/** Keys of the prompt. */
export type EditorKeys = "default" | "vim"

/** An editor with the keys of vim, which can be turned off. */
export interface VimEditor extends PromptEditor {
  /** Handles a key of vim. Returns false for a key that belongs to an action or to the editor. */
  takes(key: KeyPress): boolean
  /** Returns the mode and the begun command for the status. Undefined if the keys of vim are off. */
  mode(): string | undefined
  switchKeys(): EditorKeys
}

const NAMED: Readonly<Record<string, string>> = {
  ...{ left: "h", right: "l", up: "k", down: "j", home: "0", end: "$", backspace: "h", delete: "x", space: " " },
  ...{ escape: "escape", "ctrl+r": "ctrl+r" },
}

/** Adds the keys of vim to an editor. A text that is set from outside, such as an empty one after a prompt was sent, begins in insert mode. */
export function createVimEditor(editor: PromptEditor, keys: EditorKeys = "default"): VimEditor {
  let isOn = keys === "vim"
  let state: VimState = freshState(editor.edited())
  const begin = () => (state = freshState(editor.edited(), state))

  function apply(step: VimStep): void {
    ;({ state } = step)
    editor.setEdited(step.edited)
    if (step.effect !== "older" && step.effect !== "newer") return
    const before = editor.edited().text
    editor.browse(step.effect)
    const shown = editor.edited()
    // Another prompt has changes of its own.
    if (shown.text !== before) state = { ...state, past: [], future: [] }
    editor.setEdited(afterOther(state, shown, shown).edited)
  }

  /** Lets the editor change the text outside of insert mode. */
  function change(run: () => void): void {
    const before = editor.edited()
    run()
    if (isOn && state.mode !== "insert") apply(afterOther(state, before, editor.edited()))
  }

  return {
    ...editor,
    handle: (key) => change(() => editor.handle(key)),
    insert: (text) => change(() => editor.insert(text)),
    setText(text) {
      editor.setText(text)
      begin()
    },
    takes(key) {
      if (!isOn) return false
      if (state.mode === "insert") {
        if (key.name !== "escape") return false
        apply(vimKey(state, "escape", editor.edited()))
        return true
      }
      if (key.name === "tab") return true
      if (key.name === "escape" && state.keys === "" && state.mode === "normal") return false
      const typed = vimKeys(key)
      for (const each of typed) apply(vimKey(state, each, editor.edited()))
      return typed.length > 0
    },
    mode() {
      if (!isOn) return undefined
      const name = state.mode.replace("-", " ").toUpperCase()
      const range = state.mode === "visual" ? selection(state, editor.edited()) : undefined
      return [name, range ? String(range.to - range.from) : "", state.keys].filter((each) => each !== "").join(" ")
    },
    switchKeys() {
      isOn = !isOn
      begin()
      return isOn ? "vim" : "default"
    },
  }
}

/** Returns the keys of vim for a key press. A terminal may send several characters at once. */
function vimKeys({ name, text }: KeyPress): readonly string[] {
  const named = NAMED[name]
  if (named !== undefined) return [named]
  if (text === undefined || name === "paste" || /^(?:ctrl|alt|super)\+/.test(name)) return []
  return cellsOf(text)
}
