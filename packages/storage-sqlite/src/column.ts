/**
 * A string as SQLite can hold it. SQLite stores UTF-8, which has no lone surrogates: a string with one is stored as its
 * JSON, which no id and no absolute path can be mistaken for.
 */
export function toColumn(text: string): string {
  return text.isWellFormed() ? text : JSON.stringify(text)
}

export function fromColumn(column: string): string {
  return column.startsWith('"') ? (JSON.parse(column) as string) : column
}

/** A title as it is searched: whatever its case. */
export function toSearchColumn(title: string): string {
  return title.toLowerCase().toWellFormed()
}
