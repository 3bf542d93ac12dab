import type { EditedText } from "../terminal/edited-text.ts"
import type { Command } from "./command.ts"
import type { Register } from "./edits.ts"
import type { CharacterSearch } from "./motions.ts"

export type VimMode = "insert" | "normal" | "visual" | "visual-line"

/** A visit of insert mode: the typed text becomes one change, which is undone and repeated as a whole. */
export interface Insertion {
  /** The text before the command that began it. */
  readonly before: EditedText
  /** The text after that command. */
  readonly begun: EditedText
  /** Missing if the mode was on from the beginning. */
  readonly command?: Command
}

/** A change that `.` repeats. */
export interface Repeatable {
  readonly command: Command
  readonly typed: string
}

/** Everything that the keys remember. The text and the caret belong to the editor. */
export interface VimState {
  readonly mode: VimMode
  /** Keys of a command that is not complete. */
  readonly keys: string
  readonly register: Register
  /** Column to which `j` and `k` return. */
  readonly column?: number | undefined
  readonly search?: CharacterSearch | undefined
  readonly last?: Repeatable | undefined
  /** Set in insert mode. */
  readonly insertion?: Insertion | undefined
  /** Index of a code unit where the selection of a visual mode began. */
  readonly anchor: number
  /** Texts that `u` brings back, oldest first. */
  readonly past: readonly EditedText[]
  /** Texts that Ctrl-R brings back, the next one last. */
  readonly future: readonly EditedText[]
}

/** The result of a key. */
export interface VimStep {
  readonly state: VimState
  readonly edited: EditedText
  /** Asks the editor to show an older or a newer prompt, or to handle the key itself. */
  readonly effect?: "older" | "newer" | "pass"
}

const MAX_UNDO = 200

/** Returns the state for a text that was not typed with these keys, such as an empty one after a prompt was sent. */
export function freshState(edited: EditedText, before?: VimState): VimState {
  return {
    ...{ mode: "insert", keys: "", anchor: 0, past: [], future: [] },
    register: before?.register ?? { cells: [], isLines: false },
    ...{ search: before?.search, last: before?.last },
    insertion: { before: edited, begun: edited },
  }
}

/** Remembers a text for `u` if it differs. */
export function withUndo(state: VimState, before: EditedText, after: EditedText): VimState {
  if (before.text === after.text) return state
  return { ...state, past: [...state.past, before].slice(-MAX_UNDO), future: [] }
}
