/** Returns the first `length` UTF-16 units, or one fewer if the last one would be half of a surrogate pair. */
export function firstCharacters(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "")
}

/** Returns the last `length` UTF-16 units, or one fewer if the first one would be half of a surrogate pair. */
export function lastCharacters(text: string, length: number): string {
  return text.slice(-length).replace(/^[\uDC00-\uDFFF]/, "")
}
