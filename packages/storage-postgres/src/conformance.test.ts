import { fileURLToPath } from "node:url"
import type { MaintainedStorage } from "@pawl/core/storage"
import { memoryStorage } from "@pawl/storage-memory"
import { type StoredRecord, testStorage, testStorageModel } from "@pawl/storage-testkit"
import { Client } from "pg"
import { afterAll, afterEach, describe } from "vitest"
import { noServer, serverURL } from "../test/place.ts"
import { createSchemaPool } from "../test/schema-pool.ts"
import { readSeen } from "./change-feed.ts"
import { openConnection } from "./connection.ts"
import { createStorage } from "./postgres-storage.ts"
import { ensureSchema } from "./schema.ts"

const reads = new WeakMap<MaintainedStorage, () => number>()
const schemas = createSchemaPool(serverURL)

async function open(location: string): Promise<MaintainedStorage> {
  const schema = await schemas.schemaOf(location)
  const options = { url: serverURL, schema }
  const connection = await openConnection(options)
  await ensureSchema(connection)
  let count = 0
  const counting: typeof connection = {
    ...connection,
    async query<Row>(...query: Parameters<typeof connection.query>) {
      const rows = await connection.query<Row>(...query)
      count += rows.length
      return rows
    },
    read: (sql, values, begin) =>
      connection.read(sql, values, () => {
        const reader = begin()
        const add: typeof reader.add = (row) => {
          count++
          reader.add(row)
        }
        return new Proxy(reader, { get: (target, name) => (name === "add" ? add : Reflect.get(target, name)) })
      }),
  }
  const storage = createStorage(counting, options, await readSeen(connection))
  reads.set(storage, () => count)
  return storage
}

async function damage(location: string, { sessionID, messageID, partID }: StoredRecord, text: string): Promise<void> {
  const schema = await schemas.schemaOf(location)
  const client = new Client(serverURL)
  await client.connect()
  await client.query(
    `UPDATE ${schema}.record r SET data = $1 FROM ${schema}.session s
     WHERE s.id = $2 AND r.session = s.key AND r.message_id = $3 AND r.part_id = $4`,
    [text, sessionID, messageID ?? "", partID ?? ""],
  )
  await client.end()
}

describe.skipIf(noServer)("with a server", () => {
  afterEach(() => schemas.recycle())
  afterAll(() => schemas.close())

  testStorage("postgres", {
    open,
    countReads: (storage) => reads.get(storage)?.() ?? 0,
    damage,
    fixtures: [{ name: "version 1", path: fileURLToPath(new URL("../test/fixtures/version-1.sql", import.meta.url)) }],
  })
  testStorageModel("postgres", { open, reference: memoryStorage })
})
