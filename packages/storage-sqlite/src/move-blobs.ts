import { type BlobDeps, hash, putBlob } from "./blobs.ts"
import { isUnwritable } from "./errors.ts"

/**
 * Converts the blobs of version 1, which are single rows, to pieces. Converts one at a time, so that a killed process or
 * a concurrent one neither loses nor repeats any.
 */
export async function moveBlobs(deps: BlobDeps): Promise<void> {
  const { connection } = deps
  const isLeft = () =>
    connection.statement("SELECT 1 FROM sqlite_schema WHERE name = 'blob_version_1'").get() !== undefined
  // Another process may end the move between two steps, so each looks for the table first.
  const next = () =>
    isLeft()
      ? (connection.statement("SELECT rowid, bytes FROM blob_version_1 LIMIT 1").get() as
          | { rowid: number; bytes: Uint8Array }
          | undefined)
      : undefined
  while (await connection.read(isLeft)) {
    const blob = await connection.read(next)
    if (blob) await putBlob(deps, await hash(blob.bytes), blob.bytes)
    try {
      await connection.write(() => {
        if (!isLeft()) return
        if (blob) connection.statement("DELETE FROM blob_version_1 WHERE rowid = ?").run(blob.rowid)
        else if (!next()) connection.exec("DROP TABLE blob_version_1")
      })
    } catch (error) {
      // An empty table that cannot be dropped now keeps nothing from being read.
      if (blob || !isUnwritable(error)) throw error
      return
    }
  }
}
