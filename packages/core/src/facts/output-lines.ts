/** Of an output only so much is looked at, from its end: programs name there what failed. In UTF-16 units. */
const LOOKED_AT = 2 ** 20

/** A longer line is cut. */
const LONGEST_LINE = 400

const ESCAPES = new RegExp(`${String.fromCodePoint(27)}\\[[\\d;?]*[A-Za-z]`, "g")

/** What is looked at of an output. */
export function endOf(output: string): string {
  return output.slice(-LOOKED_AT)
}

/** The lines of an output's end, without colours; of blank lines in a row one. */
export function* linesOf(whole: string): Generator<string> {
  const output = endOf(whole)
  const isCut = output.length < whole.length
  let isBlank = false
  // The first line of what is cut may be a part of one.
  let start = isCut ? output.indexOf("\n") + 1 || output.length : 0
  while (start < output.length) {
    const newline = output.indexOf("\n", start)
    const end = newline < 0 ? output.length : newline
    const line = output
      .slice(start, Math.min(end, start + LONGEST_LINE))
      .replaceAll(ESCAPES, "")
      .trimEnd()
    // Of blank lines one is enough to end a list.
    if (line !== "" || !isBlank) yield line
    isBlank = line === ""
    start = end + 1
  }
}
