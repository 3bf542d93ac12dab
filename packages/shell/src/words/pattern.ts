const SPECIAL = /[*?[\]\\\ue003]/

/** The text as a pattern that stands for nothing else. */
export function escaped(text: string): string {
  return SPECIAL.test(text) ? text.replaceAll(/[*?[\]\\\ue003]/g, String.raw`\$&`) : text
}

/** The only text that the pattern stands for; undefined where it stands for several. */
export function literalOf(pattern: string): string | undefined {
  if (!SPECIAL.test(pattern)) return pattern
  return /^(?:[^*?[\]\\\ue003]|\\.)*$/s.test(pattern) ? pattern.replaceAll(/\\(.)/gs, "$1") : undefined
}

/** The directory that the literal beginning of a pattern names, with its slash; empty where it names none. */
export function directoryOf(pattern: string): string {
  const front = /^(?:[^*?[\]\\\ue003]|\\.)*/s.exec(pattern)?.[0] ?? ""
  return literalOf(front.slice(0, front.lastIndexOf("/") + 1)) ?? ""
}
