/**
 * Matches `*` with any characters and `?` with one. A pattern that ends in ` *` also matches without that end. Case
 * counts; composed and decomposed accents are the same.
 */
export function matches(text: string, pattern: string): boolean {
  // Most rules match everything, or one name; a pattern matches itself.
  if (pattern === "*" || pattern === text) return true
  if (PLAIN.test(pattern) && PLAIN.test(text)) return false
  if (PLAIN_END.test(pattern)) return normalized(text).endsWith(pattern.slice(1))
  if (PLAIN_PART.test(pattern)) return normalized(text).includes(pattern.slice(1, -1))
  return matchesTokens(text, pattern, (glob) => glob)
}

/**
 * Characters that may follow a word, by permission: whitespace in a command; in an address, the end of a host or of a
 * path segment.
 */
const WORD_ENDS: ReadonlyMap<string, RegExp> = new Map([
  ["bash", /\s/],
  ["webfetch", /[/?#:]/],
])

/**
 * Like `matches`, for a rule that allows. In the pattern of a command or an address, a word ends before a `*` that
 * follows a letter, a digit or `_`: `ls*` matches `ls` and `ls -l`, but not `lsof`.
 */
export function matchesAllowed(permission: string, text: string, pattern: string): boolean {
  if (!matches(text, pattern)) return false
  const end = WORD_ENDS.get(permission)
  if (!end || pattern === text || !OPEN_WORD.test(pattern)) return true
  return matchesTokens(text, pattern, (glob) => withWordEnds(glob, end))
}

const OPEN_WORD = /[\p{L}\p{M}\p{N}_]\*/u
const WORD_CHARACTER = /[\p{L}\p{M}\p{N}_]/u

/** A character, or a word's end: at the end of the text, or before a match of the expression. */
type Token = string | RegExp

function withWordEnds(glob: readonly string[], end: RegExp): Token[] {
  return glob.flatMap((token, at): Token[] => {
    return token === "*" && WORD_CHARACTER.test(glob[at - 1] ?? "") ? [end, token] : [token]
  })
}

function matchesTokens(text: string, pattern: string, tokens: (glob: readonly string[]) => readonly Token[]): boolean {
  const [known, wanted] = [normalized(text), normalized(pattern)]
  if (!known.endsWith(wanted.slice(1 + Math.max(wanted.lastIndexOf("*"), wanted.lastIndexOf("?"))))) return false
  const [plain, glob] = [Array.from(known), Array.from(wanted)]
  if (matchesGlob(plain, tokens(glob))) return true
  const hasOpenEnd = glob.at(-1) === "*" && glob.at(-2) === " "
  return hasOpenEnd && matchesGlob(plain, tokens(glob.slice(0, -2)))
}

/**
 * Returns whether `wide` matches every text that `narrow` matches. True is always right; false may be wrong in rare
 * cases.
 */
export function covers(wide: string, narrow: string): boolean {
  return STAND_INS.every((stars) => matches(narrow.replaceAll("?", MARK).replaceAll("*", stars), wide))
}

/** Stands for any character that no pattern names. */
const MARK = "\u{10FFFF}"
/** Replacements for a star: nothing, and more than any number of `?` in a pattern. */
const STAND_INS = ["", MARK.repeat(1000)]

/** Text without special characters and with one spelling only. */
const PLAIN = /^[\w.-]*$/

/** A star, then text without special characters. */
const PLAIN_END = /^\*[\w./-]+$/
/** Text without special characters between two stars. */
const PLAIN_PART = /^\*[\w./-]+\*$/

function normalized(text: string): string {
  return text.replaceAll("\\", "/").normalize("NFC")
}

/** Backtracks to the last star only: linear in practice, whereas a regular expression can hang on hostile text. */
function matchesGlob(text: readonly string[], glob: readonly Token[]): boolean {
  let at = 0
  let g = 0
  let star = -1
  let resumeAt = 0
  while (at < text.length) {
    const token = glob[g]
    if (token === "*") {
      star = g++
      resumeAt = at
    } else if (token instanceof RegExp && token.test(text[at] ?? "")) {
      g++
    } else if (token === "?" || token === text[at]) {
      g++
      at++
    } else if (star >= 0) {
      g = star + 1
      at = ++resumeAt
    } else return false
  }
  while (glob[g] === "*" || glob[g] instanceof RegExp) g++
  return g === glob.length
}
