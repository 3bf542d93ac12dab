/** Characters that are compared of each text. Comparing more would take seconds. */
export const MAX_LENGTH = 1000

/** Returns 1 for equal texts, down to 0: one minus the edit distance divided by the longer length. */
export function similarity(a: string, b: string): number {
  if (a === b) return 1
  const longer = Math.max(a.length, b.length)
  return 1 - editDistance(a, b) / longer
}

/** Levenshtein distance. Text after the first 1000 differing characters counts as different. */
function editDistance(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length)
  let start = 0
  while (start < shorter && a[start] === b[start]) start++
  let end = 0
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  const rest = { a: a.slice(start, a.length - end), b: b.slice(start, b.length - end) }
  const beyond = Math.max(rest.a.length, rest.b.length, MAX_LENGTH) - MAX_LENGTH
  return beyond + distanceOf(rest.a.slice(0, MAX_LENGTH), rest.b.slice(0, MAX_LENGTH))
}

function distanceOf(a: string, b: string): number {
  let above = Uint16Array.from({ length: b.length + 1 }, (_, column) => column)
  let row = new Uint16Array(b.length + 1)
  for (let i = 1; i <= a.length; i++) {
    row[0] = i
    for (let j = 1; j <= b.length; j++) {
      const changed = (above[j - 1] ?? 0) + (a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1)
      row[j] = Math.min(changed, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1)
    }
    ;[above, row] = [row, above]
  }
  return above[b.length] ?? 0
}
