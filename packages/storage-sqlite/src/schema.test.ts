import { readFileSync } from "node:fs"
import { StorageError } from "@pawl/core/storage"
import { expect, it } from "vitest"
import { openRaw, openStorage, temporaryFile } from "../test/place.ts"

async function closedFile(): Promise<string> {
  const path = temporaryFile()
  await (await openStorage(path)).close()
  return path
}

it("refuses a file of a newer pawl and leaves it as it is", async () => {
  const path = await closedFile()
  const raw = openRaw(path)
  raw.exec("PRAGMA user_version = 7")
  raw.close()
  const before = readFileSync(path)
  await expect(openStorage(path)).rejects.toThrow(
    `${path} was written by a newer pawl (schema 7, this one knows 3). Update pawl, or use another data directory.`,
  )
  await expect(openStorage(path)).rejects.toThrow(StorageError)
  expect(readFileSync(path)).toEqual(before)
})

it("refuses another program's database and leaves it as it is", async () => {
  const path = temporaryFile()
  const raw = openRaw(path)
  raw.exec("CREATE TABLE note (text TEXT); INSERT INTO note VALUES ('mine')")
  raw.close()
  const before = readFileSync(path)
  await expect(openStorage(path)).rejects.toThrow(`${path} is another program's database.`)
  expect(readFileSync(path)).toEqual(before)
})

it("keeps a file's version when it is opened again", async () => {
  const path = await closedFile()
  await (await openStorage(path)).close()
  expect(openRaw(path).prepare("PRAGMA user_version").get()).toEqual({ user_version: 3 })
})

it("has small pages, a shared log, and space that can be given back", async () => {
  const raw = openRaw(await closedFile())
  expect(raw.prepare("PRAGMA page_size").get()).toEqual({ page_size: 1024 })
  expect(raw.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" })
  expect(raw.prepare("PRAGMA auto_vacuum").get()).toEqual({ auto_vacuum: 2 })
})

it("checks the type of every column", async () => {
  const raw = openRaw(await closedFile())
  const tables = raw.prepare(
    "SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite%' ORDER BY name",
  )
  const rows = tables.all()
  expect(rows.map(({ name }) => name)).toEqual([
    ...["blob", "blob_piece", "chunk", "lease", "progress", "quarantine", "record", "reference", "removed_session"],
    ...["search_session", "search_volume", "session", "session_size"],
  ])
  expect(rows.every(({ strict }) => strict === 1)).toBe(true)
})
