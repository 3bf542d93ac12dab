import { type LongWork, StorageError, type StorageProblem } from "@pawl/core/storage"
import type { Connection } from "../connection.ts"
import { isBusy } from "../errors.ts"
import { yieldTurn } from "../turn.ts"
import { verifyBlobs } from "./verify-blobs.ts"
import { verifyRecords } from "./verify-records.ts"
import { verifySessions, verifySizes } from "./verify-sessions.ts"

/** The file first, then each record with all that is derived from it, then sessions and blobs. Changes nothing. */
export async function* verify(connection: Connection, work: LongWork = {}): AsyncGenerator<StorageProblem> {
  const { signal } = work
  signal?.throwIfAborted()
  // So that a closed storage says so.
  await connection.inspect(() => undefined)
  for (const check of [
    () => verifyFile(connection, signal),
    () => verifyRecords(connection, work),
    () => verifySessions(connection),
    () => verifySizes(connection, signal),
    () => verifyBlobs(connection, signal),
  ]) {
    try {
      yield* check()
    } catch (error) {
      // What lies on a damaged page cannot be looked at; the other checks still can.
      if (!(error instanceof StorageError) || error.cause === undefined || isBusy(error.cause)) throw error
      yield { kind: "damaged", subject: connection.path, message: error.message }
    }
  }
}

async function* verifyFile(connection: Connection, signal?: AbortSignal): AsyncGenerator<StorageProblem> {
  const { path } = connection
  const tables = await connection.inspect(
    () =>
      connection
        .statement("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'virtual')")
        .all() as { name: string }[],
  )
  for (const { name } of tables) {
    const rows = await connection.inspect(() => connection.statement(`PRAGMA integrity_check("${name}")`).all())
    for (const { integrity_check: text } of rows as { integrity_check: string }[]) {
      if (text !== "ok") yield { kind: "damaged", subject: name, message: `Table ${name} in ${path}: ${text}.` }
    }
    await yieldTurn(signal)
  }
}
