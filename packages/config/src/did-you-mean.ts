/** Returns the end of an error about an unknown word: `; did you mean x?`, or nothing if no known word is similar. */
export function didYouMean(word: string, known: readonly string[], quote = ""): string {
  const meant = suggestion(word, known)
  return meant === undefined ? "" : `; did you mean ${quote}${meant}${quote}?`
}

/** Returns the known word most similar to `word`. Undefined if no known word is similar. */
export function suggestion(word: string, known: readonly string[]): string | undefined {
  const written = word.toLowerCase()
  const begun = known.find((name) => written.length > 2 && name.startsWith(written))
  if (begun !== undefined) return begun
  const allowed = Math.max(1, Math.floor(word.length / 3))
  const ranked = known
    .map((name) => ({ name, distance: editDistance(written, name) }))
    .filter(({ distance }) => distance <= allowed)
    .sort((a, b) => a.distance - b.distance)
  return ranked[0]?.name
}

/** Counts the insertions, deletions, replacements and swaps of neighbours that turn one text into the other. */
function editDistance(a: string, b: string): number {
  let before: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(previous, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      row[j] = Math.min(at(previous, j) + 1, at(row, j - 1) + 1, replaced)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        row[j] = Math.min(at(row, j), at(before, j - 2) + 1)
    }
    before = previous
    previous = row
  }
  return at(previous, b.length)
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity
}
