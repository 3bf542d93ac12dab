/** Maximum characters of a title. */
const MAX_TITLE_LENGTH = 100

/** Turns a model's answer into a title. Empty if the answer has no title. Masks a title before it is cut. */
export function cleanTitle(answer: string, mask: (text: string) => string = (text) => text): string {
  const said = answer.replaceAll(/<think(?:ing)?>[\s\S]*?(?:<\/think(?:ing)?>|$)/gi, "")
  // Split lines first, then remove other control characters, and those that change the direction of text.
  const lines = said.split(/[\r\n\u2028\u2029]+/).map((line) =>
    line
      .replaceAll(/[\p{Cc}\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, " ")
      .replaceAll(/\s+/g, " ")
      .trim(),
  )
  const line = lines.find((each) => each !== "") ?? ""
  const title = unquoted(line)
  if (Array.from(title).length <= MAX_TITLE_LENGTH) return title
  // Mask before the cut, because a cut secret would not be recognized.
  const characters = Array.from(mask(title))
  return characters.length > MAX_TITLE_LENGTH
    ? `${characters.slice(0, MAX_TITLE_LENGTH - 1).join("")}…`
    : characters.join("")
}

function unquoted(line: string): string {
  return /^(["'`]).*\1$/.test(line) && line.length > 1 ? line.slice(1, -1).trim() : line
}
