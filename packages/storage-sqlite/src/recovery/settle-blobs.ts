import { createHash } from "node:crypto"
import type { DatabaseSync } from "node:sqlite"

const PIECE_BYTES = 255 * 1024

/** Stores each blob of which all pieces were found, so that its hash is its id. Returns their number. */
export function settleBlobs(db: DatabaseSync): number {
  const keys = db.prepare("SELECT DISTINCT blob FROM found_piece").all() as { blob: number }[]
  const pieces = db.prepare("SELECT bytes FROM found_piece WHERE blob = ? ORDER BY position")
  const named = db.prepare("SELECT id FROM found_blob WHERE key = ?")
  for (const { blob } of keys) {
    const bytes = (pieces.all(blob) as { bytes: Uint8Array }[]).map((row) => row.bytes)
    // Only the bytes tell whether it is complete, because the row may be an older state.
    storeBlob(db, bytes, named.get(blob)?.["id"] as string | undefined)
  }
  return Number(db.prepare("SELECT count(*) AS count FROM blob").get()?.["count"])
}

/** Stores the bytes and resets their age, unless `wanted` is given and is not their hash. */
export function storeBlob(db: DatabaseSync, chunks: readonly Uint8Array[], wanted?: string): void {
  const bytes = Buffer.concat(chunks)
  const id = createHash("sha256").update(bytes).digest("hex")
  if (wanted !== undefined && wanted !== id) return
  const row = db
    .prepare(
      "INSERT INTO blob (id, size, whole, put, boot, uptime) VALUES (?, ?, 1, ?, '', 0) ON CONFLICT DO NOTHING RETURNING key",
    )
    .get(id, bytes.length, Date.now()) as { key: number } | undefined
  if (!row) return
  const insert = db.prepare("INSERT INTO blob_piece (blob, position, last, bytes) VALUES (?, ?, ?, ?)")
  const count = Math.max(1, Math.ceil(bytes.length / PIECE_BYTES))
  for (let position = 0; position < count; position++) {
    const piece = bytes.subarray(position * PIECE_BYTES, (position + 1) * PIECE_BYTES)
    insert.run(row.key, position, position === count - 1 ? 1 : 0, piece)
  }
}
