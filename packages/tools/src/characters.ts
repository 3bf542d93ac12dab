/** The first `length` UTF-16 units, one fewer where that would cut a character in two. */
export function firstCharacters(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "")
}

/** The last `length` UTF-16 units, one fewer where that would cut a character in two. */
export function lastCharacters(text: string, length: number): string {
  return text.slice(-length).replace(/^[\uDC00-\uDFFF]/, "")
}
