import type { AutocompleteProvider } from "@earendil-works/pi-tui/dist/autocomplete.js"
import { Editor } from "@earendil-works/pi-tui/dist/components/editor.js"
import { KeybindingsManager, setKeybindings, TUI_KEYBINDINGS } from "@earendil-works/pi-tui/dist/keybindings.js"
import { CURSOR_MARKER, type TUI } from "@earendil-works/pi-tui/dist/tui.js"
import type { Theme } from "@pawl/terminal-text/theme"
import type { EditedText } from "./edited-text.ts"
import { clipStyled, styledWidth } from "./text-width.ts"
import type { KeyPress } from "./keys.ts"

/** A suggestion for what the user types. */
export interface Completion {
  /** Replaces what was typed. */
  readonly value: string
  readonly label: string
  readonly description?: string
}

/** Suggests completions for the word before the caret. Undefined without any. */
export type Complete = (word: string, request: CompletionRequest) => Promise<readonly Completion[] | undefined>

export interface CompletionRequest {
  /** True if the word is the first of the prompt. */
  readonly isFirst: boolean
  readonly signal: AbortSignal
}

export interface PromptEditorOptions {
  readonly theme: Theme
  /** Height of the terminal: the editor takes at most a third of it. */
  readonly rows: () => number
  readonly complete: Complete
  /** Called when something changed without a key, such as when suggestions arrive. */
  readonly onChange: () => void
}

/** Lines of the editor and the position of the caret in them. */
export interface EditorLines {
  readonly lines: readonly string[]
  readonly caret: { readonly row: number; readonly column: number }
}

/** The editor of prompts: several lines, history, kill ring, undo, folded pastes, suggestions. */
export interface PromptEditor {
  handle(key: KeyPress): void
  /** Text with folded pastes in full. */
  text(): string
  setText(text: string): void
  insert(text: string): void
  /** Adds a prompt for Up and Down. */
  remember(text: string): void
  /** Returns the text with folded pastes as markers, and the caret. */
  edited(): EditedText
  /** Replaces the text and moves the caret. Folded pastes whose markers stay are kept. */
  setEdited(edited: EditedText): void
  /** Shows an older or a newer prompt. */
  browse(direction: "older" | "newer"): void
  isCompleting(): boolean
  /** Columns at the left hold the mark. */
  render(columns: number): EditorLines
}

/** Parts of the editor for which it has no interface. Its version is pinned. */
interface EditorInternals {
  readonly state: { lines: string[]; cursorLine: number }
  setCursorCol(column: number): void
  pushUndoSnapshot(): void
  exitHistoryBrowsing(): void
  cancelAutocomplete(): void
  navigateHistory(direction: -1 | 1): void
}

const MARK = "> "
const CARET = new RegExp(`${CURSOR_MARKER}(?:\\u001B\\[7m([^\\u001B]*)\\u001B\\[0m)?`)

export function createPromptEditor({ theme, rows, complete, onChange }: PromptEditorOptions): PromptEditor {
  // Enter belongs to the table of keys, so the editor never submits.
  setKeybindings(
    new KeybindingsManager(TUI_KEYBINDINGS, { "tui.input.submit": [], "tui.editor.undo": ["ctrl+-", "ctrl+_"] }),
  )
  const host = {
    requestRender: onChange,
    terminal: {
      get rows() {
        return rows()
      },
    },
  } as unknown as TUI
  const plain = (text: string) => text
  const list = {
    ...{ selectedPrefix: theme.accent, selectedText: theme.strong },
    ...{ description: theme.faint, scrollInfo: theme.faint, noMatch: theme.faint },
  }
  const editor = new Editor(host, { borderColor: plain, selectList: list }, { autocompleteMaxVisible: 6 })
  editor.focused = true
  editor.setAutocompleteProvider(completionProvider(complete))
  const internals = editor as unknown as EditorInternals
  return {
    handle: (key) => editor.handleInput(key.data),
    text: () => editor.getExpandedText(),
    setText: (text) => editor.setText(text),
    insert: (text) => editor.insertTextAtCursor(text),
    remember: (text) => editor.addToHistory(text),
    edited() {
      const { line, col } = editor.getCursor()
      const lines = editor.getLines()
      const before = lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0)
      return { text: lines.join("\n"), caret: before + col }
    },
    setEdited({ text, caret }) {
      internals.cancelAutocomplete()
      if (text !== editor.getText()) {
        internals.exitHistoryBrowsing()
        internals.pushUndoSnapshot()
      }
      const before = text.slice(0, caret).split("\n")
      internals.state.lines = text.split("\n")
      internals.state.cursorLine = before.length - 1
      internals.setCursorCol(before.at(-1)?.length ?? 0)
    },
    browse(direction) {
      internals.cancelAutocomplete()
      internals.navigateHistory(direction === "older" ? -1 : 1)
    },
    isCompleting: () => editor.isShowingAutocomplete(),
    render: (columns) =>
      editorLines(editor.render(Math.max(columns - MARK.length, 4)), {
        ...{ isCompleting: editor.isShowingAutocomplete(), columns: columns - MARK.length, theme },
      }),
  }
}

/** Replaces the borders and the drawn caret of the editor: the terminal's own cursor stands at the caret. */
function editorLines(
  rendered: readonly string[],
  { isCompleting, columns, theme }: { isCompleting: boolean; columns: number; theme: Theme },
): EditorLines {
  const bottom = rendered.findLastIndex((line, at) => at > 0 && line.startsWith("─"))
  const input = rendered.slice(1, bottom)
  const suggestions = isCompleting ? rendered.slice(bottom + 1) : []
  let caret = { row: 0, column: MARK.length }
  const lines = input.map((line, row) => {
    const at = line.indexOf(CURSOR_MARKER)
    if (at >= 0) caret = { row, column: MARK.length + styledWidth(line.slice(0, at)) }
    const text = line.replace(CARET, "$1").trimEnd()
    return `${row === 0 ? theme.accent(MARK) : " ".repeat(MARK.length)}${text}`.trimEnd()
  })
  // The list cuts long texts two columns before the edge, and does not say so.
  const shown = suggestions.map((line) => {
    const text = line.trimEnd()
    return styledWidth(text) < columns - 3 ? text : clipStyled(text, columns - 4)
  })
  return { lines: [...lines, ...shown], caret }
}

function completionProvider(complete: Complete): AutocompleteProvider {
  return {
    triggerCharacters: ["/", "@"],
    async getSuggestions(lines, cursorLine, cursorColumn, { signal }) {
      const before = (lines[cursorLine] ?? "").slice(0, cursorColumn)
      const word = /\S*$/.exec(before)?.[0] ?? ""
      const isFirst = cursorLine === 0 && before.length === word.length
      const items = await complete(word, { isFirst, signal })
      if (!items || items.length === 0) return null
      return { items: items.map((item) => ({ ...item })), prefix: word }
    },
    applyCompletion(lines, cursorLine, cursorColumn, { value }, prefix) {
      const line = lines[cursorLine] ?? ""
      const before = line.slice(0, cursorColumn - prefix.length) + value
      const changed = lines.map((each, at) => (at === cursorLine ? before + line.slice(cursorColumn) : each))
      return { lines: changed, cursorLine, cursorCol: before.length }
    },
  }
}
