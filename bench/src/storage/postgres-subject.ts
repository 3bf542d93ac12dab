import { postgresStorage } from "@pawl/storage-postgres"
import { startTestServer } from "@pawl/postgres-test-server"
import { Client } from "pg"
import type { Subject } from "./subject.ts"

/** Uses its own durable server, which ends with the measurement. */
export const postgresSubject: Subject = {
  name: "postgres",
  searches: true,
  async open(_scratch, { durable }) {
    const server = await startTestServer({ durable })
    const storage = await postgresStorage({ url: server.url })
    const client = new Client({ connectionString: server.url })
    await client.connect()
    await client.query("CREATE TABLE raw_record (key bigserial PRIMARY KEY, data text)")
    return {
      storage,
      raw: {
        what: "an insert of one row",
        write: async (json) => void (await client.query("INSERT INTO raw_record (data) VALUES ($1)", [json])),
      },
      async writtenBytes() {
        const { rows } = await client.query<{ bytes: string }>("SELECT pg_current_wal_lsn() - '0/0' AS bytes")
        return Number(rows[0]?.bytes)
      },
      async [Symbol.asyncDispose]() {
        await client.end()
        await storage.close()
        await server[Symbol.asyncDispose]()
      },
    }
  },
}
