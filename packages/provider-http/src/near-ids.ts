/** Returns up to `most` similar ids, the nearest first. Differences in case and punctuation count little. */
export function nearIDs(wanted: string, known: Iterable<string>, most = 5): string[] {
  const plain = bare(wanted)
  return [...known]
    .map((id) => ({ id, distance: distanceOf(plain, bare(id)) }))
    .filter(({ id, distance }) => distance <= Math.max(2, Math.min(plain.length, bare(id).length) * 0.4))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, most)
    .map(({ id }) => id)
}

function bare(id: string): string {
  return id.toLowerCase().replaceAll(/[^a-z0-9]/g, "")
}

/** Characters that differ, where one begins with the other at most as many as would be a near one. */
function distanceOf(a: string, b: string): number {
  const distance = edits(a, b)
  const isBeginning = a !== "" && b !== "" && (a.startsWith(b) || b.startsWith(a))
  return isBeginning ? Math.min(distance, 2) : distance
}

/** Insertions, removals and replacements that make one text of the other. */
function edits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let line = 1; line <= a.length; line++) {
    const next = [line]
    for (let column = 1; column <= b.length; column++) {
      const replaced = (row[column - 1] ?? 0) + (a[line - 1] === b[column - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
