/** Characters of a text that is quoted in a sentence. */
const LONGEST = 300

/** A text as one word of a sentence: whatever it holds, it cannot look like more than a quotation. */
export function quoted(text: string): string {
  const cut = text.length > LONGEST ? `${text.slice(0, LONGEST).toWellFormed()}…` : text
  return JSON.stringify(cut).replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => {
    return `\\u{${character.codePointAt(0)?.toString(16)}}`
  })
}
