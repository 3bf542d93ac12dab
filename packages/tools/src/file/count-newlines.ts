/** Avoids `split`, because a long text has too many lines for an array. */
export function countNewlines(text: string, from = 0, to = text.length): number {
  let count = 0
  for (let at = text.indexOf("\n", from); at !== -1 && at < to; at = text.indexOf("\n", at + 1)) count++
  return count
}
