import { createHash } from "node:crypto"
import type { BlobStore } from "@pawl/core"
import type { Connection } from "./connection.ts"

export function createBlobStore(connection: Connection): BlobStore {
  const find = (id: string) =>
    connection.statement("SELECT bytes FROM blob WHERE id = ?").get(id) as { bytes: Uint8Array } | undefined
  const isStored = (id: string) => connection.statement("SELECT 1 FROM blob WHERE id = ?").get(id) !== undefined

  return {
    async put(bytes) {
      // The write may have to wait, and the caller may use its buffer again meanwhile.
      const own = new Uint8Array(bytes)
      const id = createHash("sha256").update(own).digest("hex")
      if (await connection.read(() => isStored(id))) return id
      await connection.write(() => {
        connection.statement("INSERT INTO blob (id, bytes) VALUES (?, ?) ON CONFLICT DO NOTHING").run(id, own)
      })
      return id
    },
    get: async (id) => (await connection.read(() => find(id)))?.bytes,
  }
}
