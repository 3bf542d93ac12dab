/* oxlint-disable no-control-regex -- Control characters are matched to be removed. */

// Node's own function for this takes time by the square of the length on hostile text. Each of these stops at what begins
// the next one: strings such as titles and links, sequences for colours and the cursor, and everything else after ESC. Of
// what has no end only the beginning goes: a text behind it is not to be lost.
const SEQUENCES =
  /(?:\u001B[\]PX^_]|[\u009D\u0090])[^\u0007\u001B\u0090\u009C\u009D\n]*(?:\u0007|\u001B\\|\u009C)|(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]|\u001B[ -/]*[0-~]?/g
// C0 without tab and newline, DEL, C1, and the marks that turn the direction of text round.
const CONTROLS = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g

/** Foreign text without anything that a terminal would obey; keeps its lines. */
export function plainText(text: string): string {
  return text.replaceAll(SEQUENCES, "").replaceAll("\r\n", "\n").replaceAll(CONTROLS, "")
}

/**
 * Foreign text in which nothing is hidden: what a terminal would obey, and what takes no room, is written out as `^[` or
 * `\u202e`. Keeps its lines.
 */
export function visibleText(text: string): string {
  // All but tab and newline.
  return text.replaceAll(/(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0
    if (code < 0x20 || code === 0x7f) return `^${String.fromCodePoint(code ^ 0x40)}`
    return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`
  })
}

/** Foreign text in one line, without anything that a terminal would obey. */
export function plainLine(text: string): string {
  return plainText(text).replaceAll(/\s+/g, " ").trim()
}
