import leven from "leven"

/** Returns the end of an error about an unknown word: `; did you mean x?`, or nothing if no known word is similar. */
export function didYouMean(word: string, known: readonly string[], quote = ""): string {
  const meant = suggestion(word, known)
  return meant === undefined ? "" : `; did you mean ${quote}${meant}${quote}?`
}

/**
 * Returns the shortest known name that begins with `written`, or else the most similar one. Undefined if no name is
 * similar. Ignores case.
 */
export function suggestion(written: string, known: readonly string[]): string | undefined {
  const word = written.toLowerCase()
  const begun = word.length > 2 ? known.filter((name) => name.toLowerCase().startsWith(word)) : []
  if (begun.length > 0) return begun.reduce((a, b) => (b.length < a.length ? b : a))
  const near = known
    .map((name) => ({ name, limit: maxDistance(word, name) }))
    // Comparing takes time by both lengths, so names whose lengths differ too much are skipped.
    .filter(({ name, limit }) => Math.abs(word.length - name.length) <= limit)
    .map(({ name, limit }) => {
      // `leven` returns the maximum for all larger distances.
      return { name, limit, distance: leven(word, name.toLowerCase(), { maxDistance: limit + 1 }) }
    })
    .filter(({ limit, distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance)
  return near[0]?.name
}

/** Allows a third of the longer word, and two swapped letters in a short word. */
function maxDistance(word: string, name: string): number {
  const isSwapped = sortedLetters(word) === sortedLetters(name.toLowerCase())
  return Math.max(isSwapped ? 2 : 0, Math.ceil(Math.max(word.length, name.length) / 3))
}

function sortedLetters(word: string): string {
  return word.split("").sort().join("")
}
