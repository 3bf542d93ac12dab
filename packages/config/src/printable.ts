/**
 * Makes a text safe to show on one line of a terminal: replaces characters that move the cursor or change the writing
 * direction by their code.
 */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
  })
}
