const MARK = /\[removed:[^\]\n]*\]/g

/**
 * Returns the lines of a text, masked as a whole: `mask` sees secrets of several lines, such as a private key. Each line
 * that a secret touches has its mark, so there are as many lines as in the text.
 */
export function maskedLines(text: string, mask: (text: string) => string): string[] {
  const masked = mask(text)
  if (masked === text) return text.split("\n")
  const marks = masked.match(MARK) ?? []
  const kept = masked.split(MARK)
  const pieces: string[] = [kept[0] ?? ""]
  let at = kept[0]?.length ?? 0
  for (const [index, mark] of marks.entries()) {
    const next = kept[index + 1] ?? ""
    const isLast = index === marks.length - 1
    const start = isLast ? text.length - next.length : text.indexOf(next, at)
    // The mask changed more than secrets: nothing is known of the lines.
    if (start < at) return text.split("\n").map(() => mark)
    pieces.push(onEachLine(mark, text.slice(at, start)), next)
    at = start + next.length
  }
  return pieces.join("").split("\n")
}

function onEachLine(mark: string, secret: string): string {
  return secret
    .split("\n")
    .map(() => mark)
    .join("\n")
}
