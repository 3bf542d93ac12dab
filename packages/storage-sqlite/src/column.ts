/**
 * A string as SQLite can hold it. SQLite stores UTF-8, which has no lone surrogates: a string with one is stored as its
 * JSON, which no id and no absolute path can be mistaken for.
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

/** A title as it is searched: whatever its case. */
export function toSearchColumn(title: string): string {
  return title.toLowerCase().toWellFormed()
}
