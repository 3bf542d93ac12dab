// What plugins get for `bun:sqlite`: the parts that they use, over Node's own.

import { Database } from "../bun/sqlite.ts"

export { Database }
export { Statement } from "../bun/sqlite-statement.ts"
/** Those of SQLite for opening. */
export const constants = { SQLITE_OPEN_READONLY: 1, SQLITE_OPEN_READWRITE: 2, SQLITE_OPEN_CREATE: 4 }
export const native = undefined
export default Database
