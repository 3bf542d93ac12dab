/** What surrounds a place in a script: nothing, double quotes, or single quotes. */
export type Quoting = "none" | "double" | "single"

type Frame = "none" | "double" | "paren" | "backtick" | "brace"

/** Reads a script piece by piece and tells what the place after each piece is surrounded by. */
export interface QuotingReader {
  read(piece: string): Quoting
  /** Parts of a shell's language that Bun's has not, by name, as they were come upon. */
  readonly foreign: readonly string[]
}

/** Not the number of a shift, as in `1 << 2`. */
const HEREDOC = /^<<-?[ \t]*(?:[A-Za-z_'"\\]|$)/

/** What stands for a value, which is part of a word. */
const VALUE = "x"

/**
 * Knows quotes, escapes, and the substitutions in which quoting begins anew. Where it is wrong about a script, words are
 * divided in another way; values are never read as code, for they come in as variables.
 */
export function createQuotingReader(): QuotingReader {
  const frames: Frame[] = ["none"]
  let isSingle = false
  let isComment = false
  // Before the next character.
  let last = "\n"
  const foreign: string[] = []
  const top = () => frames.at(-1) ?? "none"
  /** Commands stand here, and not what a variable is cut by or what is calculated. */
  const isCode = () => (top() === "none" || top() === "paren" || top() === "backtick") && !isCalculation()
  const isCalculation = () => top() === "paren" && frames.at(-2) === "paren"

  function step(script: string, at: number): number {
    const character = script[at] ?? ""
    const before = last
    const isWordStart = /[\s;&|()]/.test(before)
    last = character
    if (isComment) {
      isComment = character !== "\n"
      return 1
    }
    if (isSingle) {
      isSingle = character !== "'"
      return 1
    }
    if (character === "\\") return 2
    if (isCode()) {
      const next = script[at + 1]
      if (character === "<" && before !== "<" && HEREDOC.test(script.slice(at, at + 100)))
        foreign.push("a here-document")
      if (character === "&" && next === "&") return 2
      if (character === "&" && next !== ">" && !/[<>|;]/.test(before)) foreign.push("a command in the background (&)")
    }
    if (script.startsWith("$(", at)) return opened("paren", 2)
    if (script.startsWith("${", at)) return opened("brace", 2)
    if (character === "`") return top() === "backtick" ? closed() : opened("backtick", 1)
    if (character === '"') return top() === "double" ? closed() : opened("double", 1)
    if (character === "'" && top() !== "double") isSingle = true
    else if (character === "#" && top() !== "double" && top() !== "brace") isComment = isWordStart
    else if (character === "(" && top() === "paren") return opened("paren", 1)
    else if (character === ")" && top() === "paren") return closed()
    else if (character === "}" && top() === "brace") return closed()
    return 1
  }

  function opened(frame: Frame, length: number): number {
    frames.push(frame)
    return length
  }

  function closed(): number {
    frames.pop()
    return 1
  }

  return {
    foreign,
    read(piece) {
      for (let at = 0; at < piece.length;) at += step(piece, at)
      last = VALUE
      if (isSingle) return "single"
      return top() === "double" ? "double" : "none"
    },
  }
}
