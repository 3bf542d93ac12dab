import { unavailable } from "../bun/unavailable.ts"

// What plugins get for `bun:sqlite`: each says that it is not available when it is used.

export const Database = unavailable("Database of bun:sqlite")
export const Statement = unavailable("Statement of bun:sqlite")
export const constants = {}
export const native = undefined
export default unavailable("bun:sqlite")
