// An underscore within a word is not a mark, and a backslash before a letter stands for itself.
const SIGNIFICANT = /[`*]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|<(?=[a-z/!])|\](?=\()|\\(?=[!-/:-@[-`{-~])/giu
const AT_START = /^(?:#{1,6} |>|[+-] |[+-]$|~~~|---|===)/
const NUMBERED = /^(\d{1,9})([.)](?: |$))/

/** Escapes text that Markdown would read as markup. `isAtStart` is set at the start of a line. */
export function escaped(text: string, isAtStart: boolean): string {
  const inline = text.replace(SIGNIFICANT, "\\$&")
  return isAtStart ? inline.replace(AT_START, "\\$&").replace(NUMBERED, "$1\\$2") : inline
}

export function codeSpan(code: string): string {
  const fence = fenceFor(code, 1)
  const isTouching = code.startsWith("`") || code.endsWith("`")
  return isTouching ? `${fence} ${code} ${fence}` : `${fence}${code}${fence}`
}

export function codeBlock(code: string, language: string): string {
  const fence = fenceFor(code, 3)
  return `${fence}${language}\n${code}\n${fence}`
}

/** Formats the text of a table cell, which must be one line. */
export function cellText(text: string): string {
  return text
    .replace(/ *\n(?: *\n)*/g, "<br>")
    .replaceAll("|", "\\|")
    .trim()
}

function fenceFor(code: string, shortest: number): string {
  let longest = shortest - 1
  for (const [run] of code.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  return "`".repeat(longest + 1)
}
