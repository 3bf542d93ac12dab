/**
 * Converts a string for SQLite, which stores UTF-8 without lone surrogates. A string with one is stored as its JSON,
 * which differs from every id and every absolute path.
 */
export function toColumn(text: string): string {
  return text.isWellFormed() ? text : JSON.stringify(text)
}

/** Returns the column unchanged if it is not the JSON of a string, which happens only in damaged files. */
export function fromColumn(column: string): string {
  if (!column.startsWith('"')) return column
  try {
    return String(JSON.parse(column))
  } catch {
    return column
  }
}

/** Returns the title for a search that ignores case. */
export function toSearchColumn(title: string): string {
  return title.toLowerCase().toWellFormed()
}
