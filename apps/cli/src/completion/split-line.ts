/**
 * Splits an unfinished command line into words and removes quotes and backslashes like a shell. The last word is the
 * unfinished one, empty after a blank.
 */
export function splitLine(line: string): string[] {
  const words = [""]
  let quote = ""
  for (let at = 0; at < line.length; at++) {
    const character = line[at] ?? ""
    if (quote === "" && /\s/.test(character)) {
      if (words.at(-1) !== "" || isClosed(line[at - 1])) words.push("")
      continue
    }
    if (character === quote) quote = ""
    else if (quote === "" && (character === "'" || character === '"')) quote = character
    else if (character === "\\" && quote !== "'") words[words.length - 1] += line[++at] ?? ""
    else words[words.length - 1] += character
  }
  return words
}

/** An empty word counts if it is quoted. */
function isClosed(character: string | undefined): boolean {
  return character === "'" || character === '"'
}
