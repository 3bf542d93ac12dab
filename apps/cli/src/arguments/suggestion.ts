import { suggestion } from "@pawl/config/suggestion"

export { suggestion }

/** Returns the end of an error about an unknown word: `; did you mean x?`, or nothing if no known word is similar. */
export function didYouMean(word: string, known: readonly string[], quote = ""): string {
  const meant = suggestion(word, known)
  return meant === undefined ? "" : `; did you mean ${quote}${meant}${quote}?`
}
