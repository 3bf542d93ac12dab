import { exact } from "./exact.ts"
import type { Matcher } from "./matcher.ts"

/** Unescapes `\n`, `\t`, `\"` and the like, because models sometimes escape once too often. */
export const escapeNormalised: Matcher = {
  name: "escapes",
  find(source, oldString, options) {
    const plain = unescaped(oldString)
    return plain === oldString ? [] : exact.find(source, plain, options)
  },
  // A model that escapes one argument too often does the same in the other.
  adapt: unescaped,
}

const meanings: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" }

function unescaped(text: string): string {
  return text.replaceAll(/\\([ntr'"`\\$])/g, (_, character: string) => meanings[character] ?? character)
}
