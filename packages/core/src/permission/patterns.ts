/**
 * `*` stands for any characters, `?` for one. A pattern that ends in ` *` also matches without that end. Case counts,
 * the spelling of an accent does not: as one character or as two.
 */
export function matches(text: string, pattern: string): boolean {
  // Most rules are for all, or for one by its name; a pattern matches itself.
  if (pattern === "*" || pattern === text) return true
  if (PLAIN.test(pattern) && PLAIN.test(text)) return false
  const plain = Array.from(normalized(text))
  const glob = normalized(pattern)
  if (matchesGlob(plain, Array.from(glob))) return true
  return glob.endsWith(" *") && matchesGlob(plain, Array.from(glob.slice(0, -2)))
}

/** Text that stands for itself, and that nothing else is spelled as. */
const PLAIN = /^[\w.-]*$/

function normalized(text: string): string {
  return text.replaceAll("\\", "/").normalize("NFC")
}

/** Returns to the last star only: linear in practice, whereas a regular expression may take for ever on hostile text. */
function matchesGlob(text: readonly string[], glob: readonly string[]): boolean {
  let at = 0
  let g = 0
  let star = -1
  let resumeAt = 0
  while (at < text.length) {
    if (glob[g] === "*") {
      star = g++
      resumeAt = at
    } else if (glob[g] === "?" || glob[g] === text[at]) {
      g++
      at++
    } else if (star >= 0) {
      g = star + 1
      at = ++resumeAt
    } else return false
  }
  while (glob[g] === "*") g++
  return g === glob.length
}
