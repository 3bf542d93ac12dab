import { createHash, randomUUID } from "node:crypto"
import type { SessionID, MaintainedStorage } from "@pawl/core/storage"
import { sampleSession } from "@pawl/storage-testkit"
import { Client } from "pg"
import { inject, onTestFinished } from "vitest"
import type { PostgresStorageOptions } from "../src/options.ts"
import { postgresStorage } from "../src/postgres-storage.ts"

const server = inject("server")

/** The server of this run. */
export const serverURL = "url" in server ? server.url : ""

/** Tests are skipped then; why is printed when they start. */
export const noServer = "reason" in server

/** A schema for each name; dropped when the test ends. */
export function schemaFor(name: string): string {
  return `t_${createHash("sha256").update(name).digest("hex").slice(0, 24)}`
}

/** That of a schema on a server that ends with the tests. */
export function temporaryName(): string {
  return schemaFor(randomUUID())
}

export function temporarySchema(): string {
  const schema = temporaryName()
  onTestFinished(() => dropSchema(schema))
  return schema
}

export async function dropSchema(schema: string): Promise<void> {
  const client = new Client(serverURL)
  await client.connect()
  await client.query(`SET client_min_messages = warning; DROP SCHEMA IF EXISTS "${schema}" CASCADE`)
  await client.end()
}

/** A storage that is closed when the test ends. */
export async function openTestStorage(options: Partial<PostgresStorageOptions> = {}): Promise<MaintainedStorage> {
  const storage = await postgresStorage({ url: serverURL, schema: options.schema ?? temporarySchema(), ...options })
  onTestFinished(() => storage.close())
  return storage
}

/** PostgreSQL itself, to look behind the contract or to hold its locks. */
export async function openRaw(url: string = serverURL): Promise<Client> {
  const client = new Client(url)
  // A test ends connections on purpose.
  client.on("error", () => {})
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

export async function storeSession(storage: MaintainedStorage, id: SessionID): Promise<void> {
  await storage.commit(id, [{ type: "session.put", session: sampleSession(id) }])
}
