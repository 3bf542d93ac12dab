import type { Connection } from "./connection.ts"

/** Maximum numbers for one statement that deletes removed records. */
const MAX_ROWS = 1000
const MAX_BYTES = 4 * 1024 * 1024

/**
 * Deletes the rows that belonged to removed sessions, a limited number per statement. If it is interrupted, the next
 * call continues.
 */
export async function purgeRemoved(connection: Connection, signal?: AbortSignal): Promise<void> {
  for (;;) {
    signal?.throwIfAborted()
    const [row] = await connection.query<{ deleted: boolean }>("SELECT pawl.purge_removed($1, $2) AS deleted", [
      MAX_ROWS,
      MAX_BYTES,
    ])
    if (!row?.deleted) return
  }
}
