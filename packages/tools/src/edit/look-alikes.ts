import { escapePattern, matchesOf } from "./exact.ts"
import type { Matcher } from "./matcher.ts"

/** Each entry lists characters that editors, keyboards and models use for each other. */
const ALIKE: readonly string[] = [
  "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212",
  "'\u2018\u2019\u201A\u201B",
  '"\u201C\u201D\u201E\u201F',
  " \u00A0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u202F\u205F\u3000",
]
/** A regular expression for a longer text takes too much memory. */
const MAX_OLD_STRING_LENGTH = 20_000
const BEYOND_ASCII = /[^\0-\u007F]/

/** Treats typographic dashes, quotes and spaces like their ASCII forms, and composed accents like decomposed ones. */
export const lookAlikes: Matcher = {
  name: "look-alike characters",
  find({ text }, oldString, options) {
    if (oldString.length > MAX_OLD_STRING_LENGTH || !(BEYOND_ASCII.test(oldString) || BEYOND_ASCII.test(text)))
      return []
    const characters = oldString.replaceAll("\r\n", "\n").match(/\P{M}\p{M}*|\p{M}+/gsu) ?? []
    return matchesOf(text, new RegExp(characters.map(toPattern).join(""), "g"), options)
  },
}

/** `character` includes its combining accents. */
function toPattern(character: string): string {
  if (character === "\n") return "\\r?\\n"
  const alike = ALIKE.find((each) => each.includes(character))
  if (alike !== undefined) return `[${alike.replace("-", "\\-")}]`
  const [composed, decomposed] = [escapePattern(character.normalize("NFC")), escapePattern(character.normalize("NFD"))]
  return composed === decomposed ? composed : `(?:${composed}|${decomposed})`
}
