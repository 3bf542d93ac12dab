/** The kind of quotes around a position in a script. */
export type Quoting = "none" | "double" | "single"

type Frame = "none" | "double" | "paren" | "backtick" | "brace"

/** Reads a script piece by piece, and returns the kind of quotes around the position after each piece. */
export interface QuotingReader {
  read(piece: string): Quoting
  /** Names of constructs that Bun's shell does not support, in order of appearance. */
  readonly unsupported: readonly string[]
}

/** Excludes shifts such as `1 << 2`. */
const HEREDOC = /^<<-?[ \t]*(?:[A-Za-z_'"\\]|$)/

/** Represents a value, which is part of a word. */
const VALUE = "x"

/**
 * Understands quotes, escapes, and substitutions, within which quoting starts again. If it misreads a script, words are
 * split differently, but values are never read as code because they are variables.
 */
export function createQuotingReader(): QuotingReader {
  const frames: Frame[] = ["none"]
  let isSingle = false
  let isComment = false
  // The character before the next one.
  let last = "\n"
  const unsupported: string[] = []
  const top = () => frames.at(-1) ?? "none"
  /** Commands, as opposed to arithmetic or the pattern of a parameter expansion. */
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
        unsupported.push("a here-document")
      if (character === "&" && next === "&") return 2
      if (character === "&" && next !== ">" && !/[<>|;]/.test(before))
        unsupported.push("a command in the background (&)")
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
    unsupported,
    read(piece) {
      for (let at = 0; at < piece.length;) at += step(piece, at)
      last = VALUE
      if (isSingle) return "single"
      return top() === "double" ? "double" : "none"
    },
  }
}
