/** Characters that a title may have. */
const LONGEST = 100

/** What a model answers to the question for a title, as a title; empty where it is none. A title that is cut is masked. */
export function cleanTitle(answer: string, mask: (text: string) => string = (text) => text): string {
  const said = answer.replaceAll(/<think(?:ing)?>[\s\S]*?(?:<\/think(?:ing)?>|$)/gi, "")
  // Line ends first: the other control characters go, and those that turn the direction of what follows.
  const lines = said.split(/[\r\n\u2028\u2029]+/).map((line) =>
    line
      .replaceAll(/[\p{Cc}\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, " ")
      .replaceAll(/\s+/g, " ")
      .trim(),
  )
  const line = lines.find((each) => each !== "") ?? ""
  const title = unquoted(line)
  if (Array.from(title).length <= LONGEST) return title
  // Before the cut: half a secret is not recognized.
  const characters = Array.from(mask(title))
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join("")}…` : characters.join("")
}

function unquoted(line: string): string {
  return /^(["'`]).*\1$/.test(line) && line.length > 1 ? line.slice(1, -1).trim() : line
}
