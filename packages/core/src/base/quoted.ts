/** Maximum length of a quotation, in characters. */
const MAX_QUOTED_LENGTH = 300

/**
 * Quotes a text as one word of a sentence. Escapes control characters, so that its content cannot look like more than a
 * quotation.
 */
export function quoted(text: string): string {
  const cut = text.length > MAX_QUOTED_LENGTH ? `${text.slice(0, MAX_QUOTED_LENGTH).toWellFormed()}…` : text
  return JSON.stringify(cut).replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => {
    return `\\u{${character.codePointAt(0)?.toString(16)}}`
  })
}
