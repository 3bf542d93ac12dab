import { createHash } from "node:crypto"
import { setImmediate as nextTick } from "node:timers/promises"
import type { BlobStore } from "@pawl/core"
import type { Connection } from "./connection.ts"

const PIECE_BYTES = 256 * 1024

/** Of what is hashed or copied before other work has its turn. */
const TURN_BYTES = 4 * 1024 * 1024

/** Pieces to a statement. */
const PIECES = 4

export function createBlobStore(connection: Connection): BlobStore {
  return {
    async put(bytes) {
      // It has to wait, and the caller may use its buffer again meanwhile.
      const own = Buffer.from(bytes)
      const id = await sha256(own)
      const known = await connection.query(
        "UPDATE pawl.blob SET put = clock_timestamp() WHERE id = $1 RETURNING size",
        [id],
      )
      if (known.length > 0) return id
      const pieces = Math.ceil(own.length / PIECE_BYTES)
      for (let first = 0; first < pieces; first += PIECES) await putPieces(connection, id, own, first)
      // Whole from here on.
      await connection.query(
        "INSERT INTO pawl.blob (id, size) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET put = clock_timestamp()",
        [id, own.length],
      )
      return id
    },

    async get(id) {
      if (!/^[0-9a-f]{64}$/.test(id)) return undefined
      const [blob] = await connection.query<{ size: number }>("SELECT size FROM pawl.blob WHERE id = $1", [id])
      if (!blob) return undefined
      const bytes = new Uint8Array(blob.size)
      for (let position = 0; position * PIECE_BYTES < blob.size; position += PIECES) {
        const pieces = await connection.query<{ bytes: Buffer }>(
          "SELECT bytes FROM pawl.blob_piece WHERE blob = $1 AND position >= $2 AND position < $3 ORDER BY position",
          [id, position, position + PIECES],
        )
        let start = position * PIECE_BYTES
        for (const piece of pieces) {
          bytes.set(piece.bytes, start)
          start += piece.bytes.length
        }
        // Removed while it was read.
        if (start !== Math.min(blob.size, (position + PIECES) * PIECE_BYTES)) return undefined
      }
      return bytes
    },
  }
}

async function putPieces(connection: Connection, id: string, bytes: Buffer, first: number): Promise<void> {
  const values: (string | number | Uint8Array)[] = [id]
  const rows: string[] = []
  for (let position = first; position < first + PIECES && position * PIECE_BYTES < bytes.length; position++) {
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
