import type { Connection } from "./connection.ts"

/** Limits of one statement that deletes removed records. */
const ROWS = 1000
const BYTES = 4 * 1024 * 1024

/** Deletes what removed sessions have left, some at a time. One that is interrupted leaves the rest to the next call. */
export async function purgeRemoved(connection: Connection, signal?: AbortSignal): Promise<void> {
  for (;;) {
    signal?.throwIfAborted()
    const [row] = await connection.query<{ deleted: boolean }>("SELECT pawl.purge_removed($1, $2) AS deleted", [
      ROWS,
      BYTES,
    ])
    if (!row?.deleted) return
  }
}
