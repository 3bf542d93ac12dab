/**
 * JSON in which nothing is hidden: what a terminal would obey, and what takes no room, is written as an escape, so that it
 * stands for the same value. As JSON.stringify otherwise.
 */
export function visibleJSON(
  value: unknown,
  replacer?: (key: string, value: unknown) => unknown,
  indent?: number,
): string {
  return JSON.stringify(value, replacer, indent).replaceAll(HIDDEN, (character) => {
    const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("")
  })
}

// All but the newlines between lines: those in texts are escapes already.
const HIDDEN = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
