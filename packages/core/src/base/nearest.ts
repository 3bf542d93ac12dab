/** Pairs of letters that two names must have in common, of all that they have. */
const ALIKE = 0.7

/** The known name that was probably meant; undefined when none is near. Case, dots and dashes do not count. */
export function nearestName(written: string, known: readonly string[]): string | undefined {
  const meant = lettersOf(written)
  const [best] = known
    .map((name) => ({ name, alike: likeness(meant, lettersOf(name)) }))
    .toSorted((a, b) => b.alike - a.alike)
  return best && best.alike >= ALIKE ? best.name : undefined
}

function lettersOf(name: string): string {
  // A name is foreign text: what is long is near to nothing.
  return name
    .slice(0, 100)
    .toLowerCase()
    .replaceAll(/[^a-z]/g, "")
}

/** From 0 to 1, the share of neighbouring letters that both have. */
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
