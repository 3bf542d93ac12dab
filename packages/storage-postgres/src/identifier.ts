import { StorageError } from "@pawl/core"

/** PostgreSQL cuts longer names, and would not find them again. */
const LONGEST_NAME = 63

/** A name as SQL writes it. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Refuses what PostgreSQL keeps for itself and what could end the quotes around a function's text. */
export function requireSchemaName(name: string): void {
  const isRight = /^(?!pg_)[^\0$.]+$/.test(name) && name.isWellFormed() && Buffer.byteLength(name) <= LONGEST_NAME
  if (isRight) return
  throw new StorageError(
    `The schema ${JSON.stringify(name)} cannot be used: choose a name of at most ${LONGEST_NAME} bytes without "$" and ` +
      'dots that does not begin with "pg_".',
  )
}
