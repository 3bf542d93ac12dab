/** Length of the searched end of an output, where programs name failures. In UTF-16 units. */
const SEARCHED_LENGTH = 2 ** 20

/** Maximum length of a line; a longer one is cut. */
const MAX_LINE_LENGTH = 400

const ESCAPES = new RegExp(`${String.fromCodePoint(27)}\\[[\\d;?]*[A-Za-z]`, "g")

/** Returns the searched end of an output. */
export function endOf(output: string): string {
  return output.slice(-SEARCHED_LENGTH)
}

/** Yields the lines of an output's end without colours. Blank lines in a row are merged. */
export function* linesOf(whole: string): Generator<string> {
  const output = endOf(whole)
  const isCut = output.length < whole.length
  let isBlank = false
  // The first line of a cut output may be incomplete.
  let start = isCut ? output.indexOf("\n") + 1 || output.length : 0
  while (start < output.length) {
    const newline = output.indexOf("\n", start)
    const end = newline < 0 ? output.length : newline
    const line = output
      .slice(start, Math.min(end, start + MAX_LINE_LENGTH))
      .replaceAll(ESCAPES, "")
      .trimEnd()
    // A single blank line is enough to end a list.
    if (line !== "" || !isBlank) yield line
    isBlank = line === ""
    start = end + 1
  }
}
