import { exact } from "./exact.ts"
import type { Matcher } from "./matcher.ts"

/** Models sometimes escape once too often: `\n`, `\t`, `\"` and the like are read as what they stand for. */
export const escapeNormalised: Matcher = {
  name: "escapes",
  find(source, oldString, options) {
    const plain = unescaped(oldString)
    return plain === oldString ? [] : exact.find(source, plain, options)
  },
  // What was escaped too often in one argument was so in the other.
  adapt: unescaped,
}

const meanings: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" }

function unescaped(text: string): string {
  return text.replaceAll(/\\([ntr'"`\\$])/g, (_, character: string) => meanings[character] ?? character)
}
