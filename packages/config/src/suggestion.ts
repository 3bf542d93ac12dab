/** The known name that was probably meant, or undefined when none is near. Case does not count. */
export function suggestion(written: string, known: readonly string[]): string | undefined {
  const near = known
    .map((name) => ({ name, most: Math.ceil(Math.max(written.length, name.length) / 3) }))
    // Words so different in length are not compared: the time it takes grows with both.
    .filter(({ name, most }) => Math.abs(written.length - name.length) <= most)
    .map(({ name, most }) => ({ name, most, distance: editDistance(written.toLowerCase(), name.toLowerCase()) }))
    .filter(({ most, distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance)
  return near[0]?.name
}

/** How many characters must be inserted, removed or replaced to turn one word into the other. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 0; i < from.length; i++) {
    const next = [i + 1]
    for (let j = 0; j < to.length; j++) {
      const replaced = (row[j] ?? 0) + (from[i] === to[j] ? 0 : 1)
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
