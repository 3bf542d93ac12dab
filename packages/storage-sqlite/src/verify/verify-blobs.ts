import { createHash } from "node:crypto"
import type { StorageProblem } from "@pawl/core/storage"
import type { Connection } from "../connection.ts"
import { yieldTurn } from "../turn.ts"

const PIECES_AT_ONCE = 8

/** Compares the hash of each blob with its id. */
export async function* verifyBlobs(connection: Connection, signal?: AbortSignal): AsyncGenerator<StorageProblem> {
  let after = 0
  for (let blob; (blob = await connection.inspect(() => nextBlob(connection, after))); after = blob.key) {
    const { key, id } = blob
    const digest = createHash("sha256")
    for (let position = 0, isMore = true; isMore; position += PIECES_AT_ONCE) {
      const pieces = await connection.inspect(() => piecesFrom(connection, key, position))
      for (const { bytes } of pieces) digest.update(bytes)
      isMore = pieces.length === PIECES_AT_ONCE
      await yieldTurn(signal)
    }
    if (digest.digest("hex") === id) continue
    // It may have been collected meanwhile.
    if ((await connection.inspect(() => nextBlob(connection, key - 1)))?.key !== key) continue
    const message = `Blob ${id} in ${connection.path} is not what was put. Restore a backup.`
    yield { kind: "damaged", subject: id, message }
  }
}

function nextBlob(connection: Connection, after: number): { key: number; id: string } | undefined {
  const row = connection
    .statement("SELECT key, id FROM blob WHERE key > ? AND whole = 1 ORDER BY key LIMIT 1")
    .get(after)
  return row as { key: number; id: string } | undefined
}

function piecesFrom(connection: Connection, blob: number, position: number): { bytes: Uint8Array }[] {
  return connection
    .statement("SELECT bytes FROM blob_piece WHERE blob = ? AND position >= ? ORDER BY position LIMIT ?")
    .all(blob, position, PIECES_AT_ONCE) as { bytes: Uint8Array }[]
}
