/** Share of letter pairs that two names must have in common. */
const MIN_LIKENESS = 0.7

/** Returns the known name that was probably meant; undefined if no name is similar. Ignores case, dots and dashes. */
export function nearestName(written: string, known: readonly string[]): string | undefined {
  const meant = lettersOf(written)
  const [best] = known
    .map((name) => ({ name, alike: likeness(meant, lettersOf(name)) }))
    .toSorted((a, b) => b.alike - a.alike)
  return best && best.alike >= MIN_LIKENESS ? best.name : undefined
}

function lettersOf(name: string): string {
  // The name may be of any length: a long one resembles no known name.
  return name
    .slice(0, 100)
    .toLowerCase()
    .replaceAll(/[^a-z]/g, "")
}

/** Returns the share of neighbouring letters that both have, from 0 to 1. */
function likeness(a: string, b: string): number {
  const left = pairs(b)
  let common = 0
  for (const pair of pairs(a)) {
    const at = left.indexOf(pair)
    if (at < 0) continue
    left.splice(at, 1)
    common++
  }
  return (2 * common) / Math.max(1, a.length + b.length - 2)
}

function pairs(text: string): string[] {
  return Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2))
}
