/** One word of a script that means exactly this text. Throws for a NUL, which no program can be given. */
export function quoted(text: string): string {
  if (text.includes("\0")) throw new TypeError("A value for the shell holds a NUL character.")
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** As `quoted`, without quotes where none are needed. */
export function escaped(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : quoted(text)
}
