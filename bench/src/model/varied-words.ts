/** Words that do not repeat within some thousand characters, because repetitions are cut off as a loop. */
export const variedWords: readonly string[] = Array.from({ length: 1000 }, (_, at) => `word${at.toString(36)} `)

/** Repeats the words up to `count`. */
export function wordsText(count: number): string {
  const rest = variedWords.slice(0, count % variedWords.length).join("")
  return variedWords.join("").repeat(Math.floor(count / variedWords.length)) + rest
}
