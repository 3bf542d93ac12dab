import { StorageError } from "@pawl/core/storage"

/** PostgreSQL truncates longer names and then does not find them. */
const MAX_NAME_BYTES = 63

/** Quotes a name for SQL. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Throws for names reserved by PostgreSQL, and for names that could end the quotes around a function's body. */
export function requireSchemaName(name: string): void {
  const isRight = /^(?!pg_)[^\0$.]+$/.test(name) && name.isWellFormed() && Buffer.byteLength(name) <= MAX_NAME_BYTES
  if (isRight) return
  throw new StorageError(
    `The schema ${JSON.stringify(name)} cannot be used: choose a name of at most ${MAX_NAME_BYTES} bytes without "$" and ` +
      'dots that does not begin with "pg_".',
  )
}
