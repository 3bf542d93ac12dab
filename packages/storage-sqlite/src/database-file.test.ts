import { chmodSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { sessionID } from "@pawl/storage-testkit"
import { expect, it } from "vitest"
import { startChild } from "../test/child.ts"
import { openStorage, storeSession, temporaryDirectory } from "../test/place.ts"

const onUnix = process.platform !== "win32"
const rights = (path: string) => (statSync(path).mode & 0o777).toString(8)

it("makes the file and its directories for their owner only", async () => {
  const directory = join(temporaryDirectory(), "share", "pawl")
  const storage = await openStorage(join(directory, "pawl.db"))
  await storeSession(storage, sessionID(1))
  expect([rights(join(directory, "..")), rights(directory)]).toEqual(["700", "700"])
  expect(["pawl.db", "pawl.db-wal", "pawl.db-shm"].map((name) => rights(join(directory, name)))).toEqual([
    "600",
    "600",
    "600",
  ])
})

it("leaves the rights of what exists as they are", async () => {
  const directory = join(temporaryDirectory(), "shared")
  const path = join(directory, "pawl.db")
  mkdirSync(directory)
  writeFileSync(path, "")
  chmodSync(directory, 0o750)
  chmodSync(path, 0o640)
  await openStorage(path)
  expect([rights(directory), rights(path)]).toEqual(["750", "640"])
})

it.runIf(onUnix)("makes the file that a link leads to for its owner only", async () => {
  const directory = temporaryDirectory()
  const [link, file] = [join(directory, "link.db"), join(directory, "pawl.db")]
  symlinkSync(file, link)
  await openStorage(link)
  expect(rights(file)).toBe("600")
})

it.runIf(onUnix)("names the path when a link leads to a directory that is missing", async () => {
  const directory = temporaryDirectory()
  const link = join(directory, "link.db")
  symlinkSync(join(directory, "missing", "pawl.db"), link)
  await expect(openStorage(link)).rejects.toThrow(`${link} could not be made (ENOENT`)
})

// In a process of its own: one that tries for ever would not even notice that its test has timed out.
it.runIf(existsSync("/proc/self"))("says at once where no directory can be made, and why", async () => {
  const child = startChild("open.ts", ["/proc/pawl/below/pawl.db"])
  expect((await child.lines.next()).value).toMatch(
    /^StorageError: \/proc\/pawl\/below\/pawl\.db could not be made \(ENOENT.*'\/proc\/pawl'\)\. Use another data directory\.$/,
  )
})

it("names a directory that stands where the file should be", async () => {
  const directory = temporaryDirectory()
  await expect(openStorage(directory)).rejects.toThrow(`${directory} is a directory. Name a file in it`)
})

it("names the path when a directory on the way is a file", async () => {
  const file = join(temporaryDirectory(), "file")
  writeFileSync(file, "")
  await expect(openStorage(join(file, "below", "pawl.db"))).rejects.toThrow(`${file}/below/pawl.db could not be made`)
})
