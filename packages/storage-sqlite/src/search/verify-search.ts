import type { Connection } from "../connection.ts"
import { sessionWord, tableOf, volumesOf } from "./volumes.ts"

/** Number of words of a part that are looked up. Of the others, only the count is compared. */
const WORDS_LOOKED_UP = 2

/** Compares the index entry of a part with its words. */
export function entryState(
  connection: Connection,
  key: number,
  session: number,
  words: readonly string[],
): "right" | "wrong" | "missing" {
  for (const { number } of volumesOf(connection)) {
    const table = tableOf(number)
    const row = connection.statement(`SELECT sz FROM ${table}_docsize WHERE id = ?`).get(key)
    if (!row) continue
    if (toNumber(row["sz"] as Uint8Array) !== words.length + 1) return "wrong"
    const match = [sessionWord(session), ...words.slice(-WORDS_LOOKED_UP)]
      .map((word) => `"${word.toWellFormed()}"`)
      .join(" AND ")
    const found = connection.statement(`SELECT 1 FROM ${table} WHERE ${table} MATCH ? AND rowid = ?`).get(match, key)
    const scope = connection.statement("SELECT 1 FROM search_session WHERE session = ? AND volume = ?")
    return found && scope.get(session, number) ? "right" : "wrong"
  }
  return "missing"
}

/** SQLite's variable-length integer: seven bits a byte, the highest first. */
function toNumber(bytes: Uint8Array): number {
  return bytes.reduce((value, byte) => value * 128 + (byte & 0x7f), 0)
}
