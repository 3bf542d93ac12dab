/**
 * A string as a text column can hold it. PostgreSQL stores UTF-8 without NUL: a string with one, or with a lone surrogate,
 * is stored as its JSON. So is one that begins with a quotation mark, so that no two strings become the same.
 */
export function toColumn(text: string): string {
  return text.isWellFormed() && !text.includes("\0") && !text.startsWith('"') ? text : JSON.stringify(text)
}

export function fromColumn(column: string): string {
  return column.startsWith('"') ? (JSON.parse(column) as string) : column
}

/** A title as it is searched: whatever its case. */
export function toSearchColumn(title: string): string {
  return toReadable(title.toLowerCase())
}

/** A text for people as a column can hold it: what it cannot is replaced. */
export function toReadable(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\uFFFD")
}
