import { createHash } from "node:crypto"
import { type BlobStore, StorageError } from "@pawl/core/storage"
import { ageNow, type BlobClock } from "./blob-age.ts"
import type { Connection } from "./connection.ts"
import { yieldTurn } from "./turn.ts"

export interface BlobDeps {
  readonly connection: Connection
  readonly clock: BlobClock
}

/** Keeps a row, with its other columns, below 256 KB. */
const PIECE_BYTES = 255 * 1024

/** Number of pieces that a transaction writes, reads or deletes. A slow disk writes them in 50 ms. */
const PIECES_AT_ONCE = 2

const HASHED_AT_ONCE = 8 * 1024 * 1024

export function createBlobStore({ connection, clock }: BlobDeps): BlobStore {
  return {
    async put(bytes) {
      // The write may wait, and the caller may reuse its buffer meanwhile.
      const own = new Uint8Array(bytes)
      const id = await hash(own)
      await putBlob({ connection, clock }, id, own)
      return id
    },
    get: (id) => readBlob(connection, id),
  }
}

/** Returns the SHA-256 in lower-case hex. */
export async function hash(bytes: Uint8Array): Promise<string> {
  const digest = createHash("sha256")
  for (let start = 0; start < bytes.length; start += HASHED_AT_ONCE) {
    if (start > 0) await yieldTurn()
    digest.update(bytes.subarray(start, start + HASHED_AT_ONCE))
  }
  return digest.digest("hex")
}

/** Writes a blob of one piece in one transaction. A longer blob becomes visible with its last piece. */
export async function putBlob({ connection, clock }: BlobDeps, id: string, bytes: Uint8Array): Promise<void> {
  const pieces = Math.max(1, Math.ceil(bytes.length / PIECE_BYTES))
  const insert = (whole: 0 | 1) => {
    const { put, boot, uptime } = ageNow(clock)
    const row = connection
      .statement("INSERT INTO blob (id, size, whole, put, boot, uptime) VALUES (?, ?, ?, ?, ?, ?) RETURNING key")
      .get(id, bytes.length, whole, put, boot, uptime) as { key: number }
    return row.key
  }
  const write = (blob: number, first: number, count: number) => {
    const statement = connection.statement("INSERT INTO blob_piece (blob, position, last, bytes) VALUES (?, ?, ?, ?)")
    for (let position = first; position < Math.min(first + count, pieces); position++) {
      const piece = bytes.subarray(position * PIECE_BYTES, (position + 1) * PIECE_BYTES)
      statement.run(blob, position, position === pieces - 1 ? 1 : 0, piece)
    }
  }

  if (pieces === 1) {
    return connection.write(() => {
      if (!makeYoung({ connection, clock }, id)) write(insert(1), 0, 1)
    })
  }
  if (await connection.write(() => makeYoung({ connection, clock }, id))) return
  const blob = await connection.write(() => insert(0))
  for (let position = 0; position < pieces; position += PIECES_AT_ONCE) {
    await yieldTurn()
    await connection.write(() => write(blob, position, PIECES_AT_ONCE))
  }
  await connection.write(() => finish({ connection, clock }, id, blob))
}

/** Resets the age of a blob. Returns false if it is not stored completely. */
function makeYoung({ connection, clock }: BlobDeps, id: string): boolean {
  const { put, boot, uptime } = ageNow(clock)
  return (
    connection
      .statement("UPDATE blob SET (put, boot, uptime) = (?, ?, ?) WHERE id = ? AND whole = 1")
      .run(put, boot, uptime, id).changes > 0
  )
}

function finish(deps: BlobDeps, id: string, blob: number): void {
  const { connection, clock } = deps
  // Another process has put the same blob meanwhile.
  if (makeYoung(deps, id)) {
    connection.statement("UPDATE blob SET whole = -1 WHERE key = ?").run(blob)
    return
  }
  const { put, boot, uptime } = ageNow(clock)
  const { changes } = connection
    .statement("UPDATE blob SET (whole, put, boot, uptime) = (1, ?, ?, ?) WHERE key = ? AND whole = 0")
    .run(put, boot, uptime, blob)
  if (changes === 0) throw new StorageError(`Blob ${id} took too long to put into ${connection.path}. Put it again.`)
}

async function readBlob(connection: Connection, id: string): Promise<Uint8Array | undefined> {
  const blob = await connection.read(() => findBlob(connection, id))
  if (!blob) return undefined
  const bytes = new Uint8Array(blob.size)
  let read = 0
  for (let position = 0; read < blob.size; position += PIECES_AT_ONCE) {
    if (position > 0) await yieldTurn()
    const pieces = await connection.read(() => readPieces(connection, blob.key, position))
    // A blob that is gone was collected as garbage. One that is still there is incomplete.
    if (pieces.length === 0) {
      if ((await connection.read(() => findBlob(connection, id)))?.key === blob.key) throw incomplete(connection, id)
      return readBlob(connection, id)
    }
    for (const piece of pieces) {
      if (read + piece.length > blob.size) throw incomplete(connection, id)
      bytes.set(piece, read)
      read += piece.length
    }
  }
  return bytes
}

function findBlob(connection: Connection, id: string): { key: number; size: number } | undefined {
  const row = connection.statement("SELECT key, size FROM blob WHERE id = ? AND whole = 1").get(id)
  return row as { key: number; size: number } | undefined
}

function readPieces(connection: Connection, blob: number, first: number): Uint8Array[] {
  return connection
    .statement("SELECT bytes FROM blob_piece WHERE blob = ? AND position >= ? ORDER BY position LIMIT ?")
    .all(blob, first, PIECES_AT_ONCE)
    .map((row) => row["bytes"] as Uint8Array)
}

function incomplete({ path }: Connection, id: string): StorageError {
  return new StorageError(`Blob ${id} in ${path} is damaged: its pieces are not what was put. Restore a backup.`)
}
