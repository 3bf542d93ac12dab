import { createHash } from "node:crypto"
import { setImmediate as nextTick } from "node:timers/promises"
import { type BlobStore, StorageError } from "@pawl/core/storage"
import type { Connection } from "./connection.ts"

const PIECE_BYTES = 256 * 1024

/** Amount that is hashed or copied before other work gets its turn. */
const TURN_BYTES = 4 * 1024 * 1024

/** Pieces per statement. */
const PIECES_PER_STATEMENT = 4

/** Completes a blob if all its pieces are stored. Resets their age, so that garbage collection does not remove them now. */
const FINISH = `
WITH piece AS (UPDATE pawl.blob_piece SET put = clock_timestamp() WHERE blob = $1 RETURNING position)
INSERT INTO pawl.blob (id, size) SELECT $1, $2 WHERE (SELECT count(*) FROM piece) = $3
ON CONFLICT (id) DO UPDATE SET put = clock_timestamp() RETURNING id`

/** Includes the blob itself, which exists as long as its pieces. */
const READ_PIECES = `
SELECT b.size, p.bytes FROM pawl.blob b
LEFT JOIN pawl.blob_piece p ON p.blob = b.id AND p.position >= $2 AND p.position < $2::int + $3
WHERE b.id = $1 ORDER BY p.position`

export function createBlobStore(connection: Connection): BlobStore {
  return {
    async put(bytes) {
      // The caller may reuse its buffer while this waits.
      const own = Buffer.from(bytes)
      const id = await sha256(own)
      const known = await connection.query(
        "UPDATE pawl.blob SET put = clock_timestamp() WHERE id = $1 RETURNING size",
        [id],
      )
      if (known.length > 0) return id
      const pieces = Math.ceil(own.length / PIECE_BYTES)
      // Repeats if garbage collection has removed pieces of an earlier put meanwhile.
      do {
        for (let first = 0; first < pieces; first += PIECES_PER_STATEMENT) await putPieces(connection, id, own, first)
      } while ((await connection.query(FINISH, [id, own.length, pieces])).length === 0)
      return id
    },

    async get(id) {
      if (!/^[0-9a-f]{64}$/.test(id)) return undefined
      let bytes: Uint8Array | undefined
      for (let position = 0; ; position += PIECES_PER_STATEMENT) {
        const rows = await connection.query<{ size: number; bytes: Buffer | null }>(READ_PIECES, [
          id,
          position,
          PIECES_PER_STATEMENT,
        ])
        const [first] = rows
        // The blob is missing, or was removed during the read.
        if (!first) return undefined
        bytes ??= new Uint8Array(first.size)
        let start = position * PIECE_BYTES
        for (const piece of rows.flatMap((row) => row.bytes ?? [])) {
          if (start + piece.length > bytes.length) throw damaged(connection, id)
          bytes.set(piece, start)
          start += piece.length
        }
        if (start === bytes.length) return bytes
        if (start !== (position + PIECES_PER_STATEMENT) * PIECE_BYTES) throw damaged(connection, id)
      }
    },
  }
}

function damaged({ location }: Connection, id: string): StorageError {
  return new StorageError(`Blob ${id} at ${location} is damaged: its pieces are not what was put. Restore a backup.`)
}

async function putPieces(connection: Connection, id: string, bytes: Buffer, first: number): Promise<void> {
  const values: (string | number | Uint8Array)[] = [id]
  const rows: string[] = []
  for (
    let position = first;
    position < first + PIECES_PER_STATEMENT && position * PIECE_BYTES < bytes.length;
    position++
  ) {
    const piece = bytes.subarray(position * PIECE_BYTES, (position + 1) * PIECE_BYTES)
    rows.push(`($1, $${values.push(position)}, $${values.push(piece)})`)
  }
  const sql = `INSERT INTO pawl.blob_piece (blob, position, bytes) VALUES ${rows.join(", ")} ON CONFLICT DO NOTHING`
  await connection.query(sql, values)
}

async function sha256(bytes: Buffer): Promise<string> {
  const hash = createHash("sha256")
  for (let start = 0; start < bytes.length; start += TURN_BYTES) {
    if (start > 0) await nextTick()
    hash.update(bytes.subarray(start, start + TURN_BYTES))
  }
  return hash.digest("hex")
}
