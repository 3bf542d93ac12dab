// The replacement of `bun:sqlite`: the parts that plugins use, with Node's SQLite.

import { Database } from "../bun/sqlite.ts"

export { Database }
export { Statement } from "../bun/sqlite-statement.ts"
/** Flags that SQLite defines for opening. */
export const constants = { SQLITE_OPEN_READONLY: 1, SQLITE_OPEN_READWRITE: 2, SQLITE_OPEN_CREATE: 4 }
export const native = undefined
export default Database
