import { existsSync } from "node:fs"
import { StorageError } from "@pawl/core"
import { expect, it, onTestFinished } from "vitest"
import { temporaryFile } from "../test/place.ts"
import { openStorage } from "./sqlite-storage.ts"

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
