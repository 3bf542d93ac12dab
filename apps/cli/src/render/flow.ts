import { columnsOf } from "./width.ts"

/** Breaks running text at spaces while it comes. The last word is held back until it is known to be whole. */
export interface Flow {
  /** Takes more of the text and gives what of it can be shown. */
  push(text: string): string
  /** Gives the rest, and starts over. */
  end(): string
}

const BULLET = /^(?:[-*+•]|\d{1,3}[.)])$/

/**
 * Lines end before `columns`; the lines of a list item go on below its text. Code between fences is left as it is: a
 * terminal breaks it without changing what is copied.
 */
export function createFlow(columns: () => number): Flow {
  let column = 0
  let indent = 0
  let spaces = ""
  let word = ""
  let isLineStart = true
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
    const isTooLong = !isCode && column > indent && column + gap.length + width > columns()
    const taken = isTooLong ? `\n${" ".repeat(indent)}${word}` : gap + word
    column = isTooLong ? indent + width : column + gap.length + width
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
    isFence = false
    return `${taken}\n`
  }

  return {
    push(text) {
      let shown = ""
      for (const piece of text.match(/\n|[^\S\n]+|\S+/g) ?? []) {
        if (piece === "\n") shown += takeLine()
        else if (piece.trim() === "") {
          shown += takeWord()
          spaces += piece
        } else word += piece
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
