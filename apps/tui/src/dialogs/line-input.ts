import { clipStyled, styledWidth } from "../terminal/text-width.ts"
import type { KeyPress } from "../terminal/keys.ts"

/** A text in one line, and the caret in it. */
export interface LineInput {
  readonly text: string
  /** Index of a code unit. */
  readonly caret: number
}

export const emptyInput: LineInput = { text: "", caret: 0 }

/** Returns the input after a key. Undefined for keys that edit nothing. */
export function editedInput({ text, caret }: LineInput, key: KeyPress): LineInput | undefined {
  if (key.text !== undefined && (key.name === "paste" || !/^(?:ctrl|alt|super)\+/.test(key.name))) {
    const typed = key.text.replaceAll(/\s+/g, " ").replaceAll(/\p{Cc}/gu, "")
    return { text: text.slice(0, caret) + typed + text.slice(caret), caret: caret + typed.length }
  }
  switch (key.name) {
    case "backspace":
      return without(text, previous(text, caret), caret)
    case "delete":
      return without(text, caret, next(text, caret))
    case "ctrl+u":
      return without(text, 0, caret)
    case "ctrl+k":
      return without(text, caret, text.length)
    case "ctrl+w":
    case "alt+backspace":
      return without(text, text.slice(0, caret).replace(/\S*\s*$/, "").length, caret)
    case "left":
      return { text, caret: previous(text, caret) }
    case "right":
      return { text, caret: next(text, caret) }
    case "home":
    case "ctrl+a":
      return { text, caret: 0 }
    case "end":
    case "ctrl+e":
      return { text, caret: text.length }
    default:
      return undefined
  }
}

/** Returns the part of the input around the caret that fits into `columns`, and the caret's column in it. */
export function shownInput(
  { text, caret }: LineInput,
  columns: number,
): { readonly text: string; readonly column: number } {
  const room = Math.max(columns, 4)
  let before = text.slice(0, caret)
  if (styledWidth(before) >= room) {
    const pieces = [...segments(before)].map(({ segment }) => segment)
    while (pieces.length > 0 && styledWidth(pieces.join("")) >= room - 1) pieces.splice(0, Math.ceil(pieces.length / 8))
    before = `…${pieces.join("")}`
  }
  return { text: clipStyled(`${before}${text.slice(caret)}`, room), column: styledWidth(before) }
}

function without(text: string, from: number, to: number): LineInput {
  return { text: text.slice(0, from) + text.slice(to), caret: from }
}

function previous(text: string, caret: number): number {
  const [last] = [...segments(text.slice(0, caret))].slice(-1)
  return last?.index ?? 0
}

function next(text: string, caret: number): number {
  const [first] = segments(text.slice(caret))
  return caret + (first?.segment.length ?? 0)
}

function segments(text: string): Iterable<Intl.SegmentData> {
  return new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text)
}
