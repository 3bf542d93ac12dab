/**
 * Returns a word of a script that means exactly this text. Throws if it contains NUL, which no argument can contain.
 */
export function quoted(text: string): string {
  if (text.includes("\0")) throw new TypeError("A value for the shell holds a NUL character.")
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** Like `quoted`, but without quotes if none are needed. */
export function escaped(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : quoted(text)
}
