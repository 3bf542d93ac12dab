import { blobReferences } from "@pawl/core/storage"
import type { Connection } from "./connection.ts"
import { readProgress, writeProgress } from "./progress.ts"
import { readJSON } from "./record.ts"
import { turn, yieldTurn } from "./turn.ts"

interface Found {
  readonly references: { readonly blob: string; readonly record: number }[]
  /** The last processed key. */
  readonly upTo: number
  readonly isAll: boolean
}

/** Stores the references of the commits since the last call. Reads them outside the write lock. */
export async function catchUpReferences(connection: Connection, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const from = await connection.read(() => readProgress(connection, "reference"))
    const found = await connection.read(() => findReferences(connection, from))
    const isFirst = found.upTo === from || (await connection.write(() => storeFrom(connection, from, found)))
    if (isFirst && found.isAll) return
    await yieldTurn(signal)
  }
}

/** Does the same within a write transaction, for one turn. Returns true if no commit is left. */
export function takeInReferences(connection: Connection): boolean {
  const from = readProgress(connection, "reference")
  const found = findReferences(connection, from)
  if (found.upTo > from) store(connection, found)
  return found.isAll
}

/** SQL that is true when a living record refers to `blob.id`. Those of removed records may still be in the table. */
export const isReferenced =
  "EXISTS (SELECT 1 FROM reference JOIN record ON record.key = reference.record WHERE reference.blob = blob.id)"

/** Removes the references of records that are gone. */
export async function sweepReferences(connection: Connection, signal?: AbortSignal): Promise<void> {
  let [blob, record] = ["", 0]
  for (;;) {
    const rows = await connection.read(
      () =>
        connection
          .statement(
            "SELECT blob, record, record IN (SELECT key FROM record) AS lives FROM reference " +
              "WHERE (blob, record) > (?, ?) ORDER BY blob, record LIMIT 2000",
          )
          .all(blob, record) as { blob: string; record: number; lives: 0 | 1 }[],
    )
    const gone = rows.filter(({ lives }) => lives === 0)
    if (gone.length > 0) {
      await connection.write(() => {
        const remove = connection.statement("DELETE FROM reference WHERE blob = ? AND record = ?")
        for (const row of gone) remove.run(row.blob, row.record)
      })
    }
    const last = rows.at(-1)
    if (!last) return
    ;[blob, record] = [last.blob, last.record]
    await yieldTurn(signal)
  }
}

function findReferences(connection: Connection, from: number): Found {
  const hasTime = turn()
  const references: Found["references"] = []
  let upTo = from
  const rows = connection
    .statement("SELECT key, message_id, part_id, data FROM record WHERE key > ? ORDER BY key")
    .iterate(from) as Iterable<unknown> as Iterable<Parameters<typeof readJSON>[1]>
  for (const row of rows) {
    upTo = row.key
    if (row.data !== null) {
      for (const blob of blobReferences(readJSON(connection, row))) references.push({ blob, record: row.key })
    }
    if (!hasTime()) return { references, upTo, isAll: false }
  }
  return { references, upTo, isAll: true }
}

/** Returns false if another process was faster, maybe with a smaller batch. */
function storeFrom(connection: Connection, from: number, found: Found): boolean {
  if (readProgress(connection, "reference") !== from) return false
  store(connection, found)
  return true
}

function store(connection: Connection, { references, upTo }: Found): void {
  const insert = connection.statement("INSERT INTO reference (blob, record) VALUES (?, ?) ON CONFLICT DO NOTHING")
  for (const { blob, record } of references) insert.run(blob, record)
  writeProgress(connection, "reference", upTo)
}
