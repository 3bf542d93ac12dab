const SPECIAL = /[*?[\]\\\ue003]/

/** Escapes a text so that the pattern matches only this text. */
export function escaped(text: string): string {
  return SPECIAL.test(text) ? text.replaceAll(/[*?[\]\\\ue003]/g, String.raw`\$&`) : text
}

/** Returns the only text that the pattern matches; undefined if it matches several. */
export function literalOf(pattern: string): string | undefined {
  if (!SPECIAL.test(pattern)) return pattern
  return /^(?:[^*?[\]\\\ue003]|\\.)*$/s.test(pattern) ? pattern.replaceAll(/\\(.)/gs, "$1") : undefined
}

/** Returns the directory in the literal beginning of a pattern, with its slash; empty if it has none. */
export function directoryOf(pattern: string): string {
  const front = /^(?:[^*?[\]\\\ue003]|\\.)*/s.exec(pattern)?.[0] ?? ""
  return literalOf(front.slice(0, front.lastIndexOf("/") + 1)) ?? ""
}
