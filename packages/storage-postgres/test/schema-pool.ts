import { existsSync, readFileSync } from "node:fs"
import { randomUUID } from "node:crypto"
import { Client } from "pg"
import { dropSchema, schemaFor } from "./place.ts"

/** Schemas for locations. To make one takes long, so they are emptied and used again. */
export interface SchemaPool {
  /** That of a location. What lies there, as a fixture does, is put into one that is used for nothing else. */
  schemaOf(location: string): Promise<string>
  /** No location is used any longer. */
  recycle(): Promise<void>
  close(): Promise<void>
}

export function createSchemaPool(url: string): SchemaPool {
  const free: string[] = []
  const used = new Map<string, Promise<string>>()
  const loaded: string[] = []

  async function withClient(work: (client: Client) => Promise<unknown>): Promise<void> {
    const client = new Client(url)
    await client.connect()
    try {
      await work(client)
    } finally {
      await client.end()
    }
  }

  async function take(location: string): Promise<string> {
    if (!existsSync(location)) return free.pop() ?? schemaFor(randomUUID())
    const schema = schemaFor(randomUUID())
    const sql = readFileSync(location, "utf8").replaceAll(/"?\bfixture\b"?/g, schema)
    await withClient((client) => client.query(sql))
    loaded.push(schema)
    return schema
  }

  return {
    schemaOf(location) {
      const schema = used.get(location) ?? take(location)
      used.set(location, schema)
      return schema
    },
    async recycle() {
      const schemas = (await Promise.all(used.values())).filter((schema) => !loaded.includes(schema))
      used.clear()
      await withClient(async (client) => {
        for (const schema of schemas) {
          const { rows } = await client.query<{ name: string }>(
            "SELECT tablename AS name FROM pg_tables WHERE schemaname = $1 AND tablename NOT IN ('pawl_schema', 'derived_until')",
            [schema],
          )
          const deletions = rows.map(({ name }) => `DELETE FROM ${schema}.${name}`)
          await client.query([...deletions, `UPDATE ${schema}.derived_until SET changed = '0'`].join(";"))
        }
      })
      free.push(...schemas)
    },
    async close() {
      for (const schema of [...free, ...loaded]) await dropSchema(schema)
    },
  }
}
