import { createHash } from "node:crypto"
import { expect, it } from "vitest"
import { noServer, openRaw, openTestStorage, serverURL, temporarySchema } from "../test/place.ts"
import { createBlobStore } from "./blobs.ts"
import { openConnection } from "./connection.ts"

it.skipIf(noServer)("puts pieces again that were there and were collected before the blob was whole", async () => {
  const schema = temporarySchema()
  const storage = await openTestStorage({ schema })
  const bytes = new Uint8Array(300_000).fill(7)
  const id = createHash("sha256").update(bytes).digest("hex")
  // What a put that was interrupted long ago has left.
  await (
    await openRaw()
  ).query(`INSERT INTO ${schema}.blob_piece VALUES ($1, 0, $2, now() - interval '2 hours')`, [
    id,
    bytes.subarray(0, 256 * 1024),
  ])
  const connection = await openConnection({ url: serverURL, schema })
  const blobs = createBlobStore({
    ...connection,
    async query<Row>(...query: Parameters<typeof connection.query>) {
      if (query[0].includes("INSERT INTO pawl.blob ")) await storage.gc({ minAge: 0 })
      return connection.query<Row>(...query)
    },
  })
  expect(await blobs.put(bytes)).toBe(id)
  await connection.close()
  expect(await storage.blobs.get(id)).toEqual(bytes)
})

it.skipIf(noServer)("makes one blob of what is put at once, again and again", async () => {
  const storage = await openTestStorage()
  const bytes = new Uint8Array(300_000).fill(8)
  for (let round = 0; round < 5; round++) {
    const puts = [1, 2, 3].map(() => storage.blobs.put(bytes))
    await Promise.all([...puts, storage.gc({ minAge: 0 })])
    const id = await storage.blobs.put(bytes)
    expect(await storage.blobs.get(id)).toEqual(bytes)
  }
})

it.skipIf(noServer).each([
  ["a piece is missing", "DELETE FROM SCHEMA.blob_piece WHERE position = 0"],
  ["all pieces are missing", "DELETE FROM SCHEMA.blob_piece"],
  ["a piece is too short", "UPDATE SCHEMA.blob_piece SET bytes = '\\x00' WHERE position = 0"],
  ["a piece is too long", "UPDATE SCHEMA.blob_piece SET bytes = bytes || bytes"],
])("says that a blob is damaged where %s", async (_what, damage) => {
  const schema = temporarySchema()
  const storage = await openTestStorage({ schema })
  const id = await storage.blobs.put(new Uint8Array(300_000).fill(9))
  await (await openRaw()).query(damage.replaceAll("SCHEMA", schema))
  await expect(storage.blobs.get(id)).rejects.toThrow(`Blob ${id} at ${storage.location} is damaged`)
})
