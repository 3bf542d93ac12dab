/** Words that do not repeat themselves within a text of some thousand characters: what does is cut off as a loop. */
export const variedWords: readonly string[] = Array.from({ length: 1000 }, (_, at) => `word${at.toString(36)} `)

/** The first `count` words of the row, again and again. */
export function wordsText(count: number): string {
  const rest = variedWords.slice(0, count % variedWords.length).join("")
  return variedWords.join("").repeat(Math.floor(count / variedWords.length)) + rest
}
