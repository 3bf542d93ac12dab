import { linePieces, mayBreakBetween } from "./line-break.ts"
import { columnsOf } from "./width.ts"

/** Breaks streaming text between words. The last word is held back until it is complete. */
export interface Flow {
  /** Takes more text and returns the part that can be shown. */
  push(text: string): string
  /** Returns the rest and resets. */
  end(): string
}

const BULLET = /^(?:[-*+•]|\d{1,3}[.)])$/

/** Breaks a text into lines of at most `columns` columns. */
export function wrap(text: string, columns: number): string[] {
  const flow = createFlow(() => columns)
  return (flow.push(text) + flow.end()).split("\n")
}

/**
 * Lines end before `columns`; the lines of a list item go on below its text. What has no place to break, and code between
 * fences, is left as it is: a terminal breaks it without changing what is copied.
 */
export function createFlow(columns: () => number): Flow {
  let column = 0
  let indent = 0
  let spaces = ""
  let word = ""
  let isLineStart = true
  /** Text directly before the next piece. Empty after white space. */
  let previous = ""
  /** The beginning of the word is shown already: it is longer than a line. */
  let isWordBegun = false
  let isFence = false
  let isCode = false

  function takeWord(): string {
    if (word === "") return ""
    const width = columnsOf(word)
    const gap = spaces
    if (isLineStart) {
      indent = gap.length + (BULLET.test(word) ? width + 1 : 0)
      isFence = word.startsWith("```")
    }
    const isTooLong = column > indent && column + gap.length + width > columns()
    const breaks = isTooLong && !isCode && !isWordBegun
    const taken = breaks ? `\n${" ".repeat(indent)}${word}` : gap + word
    column = breaks ? indent + width : column + gap.length + width
    spaces = ""
    word = ""
    isLineStart = false
    return taken
  }
  function takeLine(): string {
    const taken = takeWord()
    if (isFence) isCode = !isCode
    spaces = ""
    column = 0
    indent = 0
    isLineStart = true
    previous = ""
    isWordBegun = false
    isFence = false
    return `${taken}\n`
  }
  function takeSpaces(white: string): string {
    const taken = takeWord()
    spaces += white
    previous = ""
    isWordBegun = false
    return taken
  }
  function addToWord(piece: string): string {
    let taken = ""
    if (mayBreakBetween(previous, piece)) {
      taken = takeWord()
      isWordBegun = false
    }
    previous = piece
    word += piece
    // It fits into no line, so there is nothing to wait for.
    if (word.length <= columns() && !isWordBegun) return taken
    taken += takeWord()
    isWordBegun = true
    return taken
  }

  return {
    push(text) {
      let shown = ""
      for (const piece of linePieces(text)) {
        if (piece === "\n") shown += takeLine()
        else if (piece.trim() === "") shown += takeSpaces(piece)
        else shown += addToWord(piece)
      }
      return shown
    },
    end() {
      const rest = takeWord()
      takeLine()
      isCode = false
      return rest
    },
  }
}
