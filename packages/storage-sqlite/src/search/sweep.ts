import type { Connection } from "../connection.ts"
import { yieldTurn } from "../turn.ts"
import { removeVolume, tableOf, volumesOf } from "./volumes.ts"

const KEYS_AT_ONCE = 2000
const DELETED_AT_ONCE = 200

/** Removes index entries of parts that were written again or removed, and volumes that become empty. */
export async function sweepSearch(connection: Connection, signal?: AbortSignal): Promise<void> {
  const [newest, ...older] = await connection.read(() => volumesOf(connection))
  if (newest) await sweepVolume(connection, newest.number, signal)
  for (const { number } of older) {
    if ((await sweepVolume(connection, number, signal)) > 0) continue
    await connection.write(() => {
      if (exists(connection, number)) removeVolume(connection, number)
    })
  }
}

/** Returns the number of parts that are left. */
async function sweepVolume(connection: Connection, number: number, signal?: AbortSignal): Promise<number> {
  let [after, left] = [0, 0]
  for (;;) {
    const keys = await connection.read(() => keysOf(connection, number, after))
    const gone = keys.filter(({ lives }) => lives === 0)
    left += keys.length - gone.length
    for (let index = 0; index < gone.length; index += DELETED_AT_ONCE) {
      const some = gone.slice(index, index + DELETED_AT_ONCE)
      await connection.write(() => {
        if (!exists(connection, number)) return
        const remove = connection.statement(`DELETE FROM ${tableOf(number)} WHERE rowid = ?`)
        for (const { key } of some) remove.run(key)
      })
      await yieldTurn(signal)
    }
    const last = keys.at(-1)
    if (!last) return left
    after = last.key
    await yieldTurn(signal)
  }
}

function keysOf(connection: Connection, number: number, after: number): { key: number; lives: 0 | 1 }[] {
  if (!exists(connection, number)) return []
  return connection
    .statement(
      `SELECT id AS key, id IN (SELECT key FROM record) AS lives FROM ${tableOf(number)}_docsize WHERE id > ? ` +
        "ORDER BY id LIMIT ?",
    )
    .all(after, KEYS_AT_ONCE) as { key: number; lives: 0 | 1 }[]
}

/** Another process may have rebuilt the index. */
function exists(connection: Connection, number: number): boolean {
  return connection.statement("SELECT 1 FROM search_volume WHERE number = ?").get(number) !== undefined
}
