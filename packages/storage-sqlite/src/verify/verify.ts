import { type LongWork, StorageError, type StorageProblem } from "@pawl/core/storage"
import type { Connection } from "../connection.ts"
import { isBusy } from "../errors.ts"
import { yieldTurn } from "../turn.ts"
import { verifyBlobs } from "./verify-blobs.ts"
import { verifyRecords } from "./verify-records.ts"
import { verifySessions, verifySizes } from "./verify-sessions.ts"

/** Checks the file, then each record with its derived data, then sessions and blobs. Changes nothing. */
export async function* verify(connection: Connection, work: LongWork = {}): AsyncGenerator<StorageProblem> {
  const { signal } = work
  signal?.throwIfAborted()
  // Throws if the storage is closed.
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
      // Records on a damaged page cannot be read. The other checks continue.
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
