/**
 * Encodes a string for a text column. PostgreSQL stores UTF-8 without NUL: a string with NUL or a lone surrogate is stored
 * as its JSON. So is a string that begins with a quotation mark, to keep all strings distinct.
 */
export function toColumn(text: string): string {
  return text.isWellFormed() && !text.includes("\0") && !text.startsWith('"') ? text : JSON.stringify(text)
}

export function fromColumn(column: string): string {
  return column.startsWith('"') ? (JSON.parse(column) as string) : column
}

/** Ignores case. */
export function toSearchColumn(title: string): string {
  return toReadable(title.toLowerCase())
}

/** Replaces characters that a column cannot store, for texts that are only shown. */
export function toReadable(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\uFFFD")
}
