import type { StatementSync } from "node:sqlite"
import type { MaintainedStorage } from "@pawl/core/storage"
import type { Connection } from "../src/connection.ts"
import { openConnection } from "../src/open-connection.ts"
import { moveBlobs } from "../src/move-blobs.ts"
import { createStorage } from "../src/sqlite-storage.ts"

const counts = new WeakMap<MaintainedStorage, { records: number }>()

/** How many records a storage of `countedStorage` was given by SQLite; that it looks at no others, query plans show. */
export function countReads(storage: MaintainedStorage): number {
  return counts.get(storage)?.records ?? 0
}

export async function countedStorage(path: string): Promise<MaintainedStorage> {
  const read = { records: 0 }
  const connection = await openConnection({ path, durability: "sync", lockTimeout: 10_000 })
  const uptime = () => performance.timeOrigin + performance.now()
  await moveBlobs({ connection, clock: { uptime, now: Date.now, boot: "unknown" } })
  const counted: Connection = { ...connection, statement: (sql) => counting(connection.statement(sql), sql, read) }
  const storage = createStorage(counted, { pollInterval: 20 })
  counts.set(storage, read)
  return storage
}

/** Rows with the data of a record; a row of a message with its parts says how many they are. */
function counting(statement: StatementSync, sql: string, read: { records: number }): StatementSync {
  if (!/\bdata\b.* FROM .*\brecord\b/.test(sql)) return statement
  const count = (row: unknown) => (read.records += Array.isArray(row) ? Number(row[2]) : 1)
  return new Proxy(statement, {
    get(target, name: keyof StatementSync) {
      const method = target[name] as (...values: unknown[]) => unknown
      return (...values: unknown[]) => {
        const result = Reflect.apply(method, target, values)
        if (name === "iterate") return countedRows(result as Iterable<unknown>, count)
        if (name === "all") (result as unknown[]).forEach(count)
        if (name === "get" && result !== undefined) count(result)
        return result
      }
    },
  })
}

function* countedRows(rows: Iterable<unknown>, count: (row: unknown) => void): Generator {
  for (const row of rows) {
    count(row)
    yield row
  }
}
