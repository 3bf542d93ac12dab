import { StorageError } from "@pawl/core/storage"
import { expect, it } from "vitest"
import { startChild } from "../test/child.ts"
import { openRaw, openTestStorage, serverURL, temporarySchema, noServer } from "../test/place.ts"
import { postgresStorage } from "./postgres-storage.ts"

it.skipIf(noServer)("refuses a schema of a newer pawl and leaves it as it is", async () => {
  const schema = temporarySchema()
  await (await openTestStorage({ schema })).close()
  const raw = await openRaw()
  await raw.query(`INSERT INTO ${schema}.pawl_schema VALUES (7)`)
  const opening = openTestStorage({ schema })
  await expect(opening).rejects.toThrow(StorageError)
  await expect(opening).rejects.toThrow("was written by a newer pawl (version 7, this one knows 3). Update pawl")
})

it.skipIf(noServer)("refuses another program's tables and leaves them as they are", async () => {
  const schema = temporarySchema()
  const raw = await openRaw()
  await raw.query(`CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.note (text text)`)
  await expect(openTestStorage({ schema })).rejects.toThrow(`The schema "${schema}" of`)
  const { rows } = await raw.query("SELECT tablename FROM pg_tables WHERE schemaname = $1", [schema])
  expect(rows).toEqual([{ tablename: "note" }])
})

it.skipIf(noServer)("makes its tables in an empty schema, and in one with an odd name", async () => {
  const raw = await openRaw()
  const empty = temporarySchema()
  await raw.query(`CREATE SCHEMA ${empty}`)
  const odd = `${temporarySchema()} "o'dd"`
  for (const schema of [empty, odd]) {
    const storage = await postgresStorage({ url: serverURL, schema })
    expect((await storage.stats()).records.session.count).toBe(0)
    await storage.close()
  }
  await raw.query(`DROP SCHEMA "${odd.replaceAll('"', '""')}" CASCADE`)
})

it.each(["", "pg_own", "a.b", "a$b$c", "a\0b", "x".repeat(64), "\ud800"])("refuses the name %j", async (schema) => {
  const opening = postgresStorage({ url: "postgres://127.0.0.1:1/none", schema })
  await expect(opening).rejects.toThrow(StorageError)
  await expect(opening).rejects.toThrow("choose a name of at most 63 bytes")
})

it.skipIf(noServer)("is made once by processes that open it at the same time", async () => {
  const schema = temporarySchema()
  const children = [1, 2].map(() => startChild("open-many.ts", [serverURL, schema]))
  for (const { lines, ended } of children) {
    expect((await lines.next()).value).toBe("opened")
    expect(await ended).toEqual({ code: 0, signal: null, stderr: "" })
  }
  const { rows } = await (await openRaw()).query(`SELECT version FROM ${schema}.pawl_schema ORDER BY version`)
  expect(rows).toEqual([{ version: 1 }, { version: 2 }, { version: 3 }])
})
