import { existsSync, mkdirSync, readdirSync } from "node:fs"
import { StorageError } from "@pawl/core/storage"
import { dirname } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { openRaw, temporaryFile } from "../test/place.ts"
import { openStorage, sqliteStorage } from "./sqlite-storage.ts"

it("opens the file that a URL names", async () => {
  const path = temporaryFile()
  const storage = await openStorage(`sqlite:${path}`)
  onTestFinished(() => storage.close())
  expect([storage.location, existsSync(path)]).toEqual([`sqlite:${path}`, true])
})

it.each(["", "sqlite:", "sqlite://host/pawl.db", "file:/srv/pawl.db", "/srv/pawl.db"])(
  "says what is wrong with %j",
  async (url) => {
    await expect(openStorage(url)).rejects.toThrow(`"${url}" names no SQLite file: write "sqlite:" and its path`)
    await expect(openStorage(url)).rejects.toThrow(StorageError)
  },
)

it("points at the storage in memory where SQLite's name for one is given", async () => {
  for (const opening of [openStorage("sqlite::memory:"), sqliteStorage({ path: ":memory:" })]) {
    await expect(opening).rejects.toThrow('Use "memory:"')
    await expect(opening).rejects.toThrow(StorageError)
  }
  expect(existsSync(":memory:")).toBe(false)
})

it("leaves nothing beside a file or directory that it could not open", async () => {
  const path = temporaryFile()
  const raw = openRaw(path)
  raw.exec("CREATE TABLE note (text TEXT)")
  raw.close()
  await expect(sqliteStorage({ path })).rejects.toThrow("is another program's database")
  expect(readdirSync(dirname(path))).toEqual(["pawl.db"])
  const directory = `${path}-directory`
  mkdirSync(directory)
  await expect(sqliteStorage({ path: directory })).rejects.toThrow("is a directory")
  expect(readdirSync(dirname(path))).toEqual(["pawl.db", "pawl.db-directory"])
})

it("leaves the lock file of those who have the file open to them", async () => {
  const path = temporaryFile()
  const storage = await sqliteStorage({ path })
  onTestFinished(() => storage.close())
  openRaw(path).exec("PRAGMA user_version = 99")
  await expect(sqliteStorage({ path })).rejects.toThrow("a newer pawl")
  expect(existsSync(`${path}-lock`)).toBe(true)
})
