import { stripVTControlCharacters } from "node:util"

// C0 without tab and newline, DEL, C1, and the marks that turn the direction of text round.
const CONTROLS = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g

/** Foreign text without anything that a terminal would obey; keeps its lines. */
export function plainText(text: string): string {
  return stripVTControlCharacters(text).replaceAll("\r\n", "\n").replaceAll(CONTROLS, "")
}

/** The same in one line. */
export function plainLine(text: string): string {
  return plainText(text).replaceAll(/\s+/g, " ").trim()
}
