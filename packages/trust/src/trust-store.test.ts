import { chmod, mkdir, readFile, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { temporaryDirectory } from "../test/temporary-directory.ts"
import type { ProjectContent } from "./project-content.ts"
import { addTrust, readTrustStore, removeTrust } from "./trust-store.ts"

function content(directory: string, hash = "h"): ProjectContent {
  const files = [{ path: "pawl.json", kind: "config", hash: "f", text: "" }] as const
  return { directory, worktree: directory, root: directory, files, hash }
}

it("keeps what was trusted, for its owner alone to read", async () => {
  const data = join(await temporaryDirectory(), "data")
  await addTrust(data, content("/one"), 5)
  await addTrust(data, content("/two"), 6)
  await addTrust(data, content("/one", "newer"), 7)

  expect(await readTrustStore(data)).toEqual({
    entries: [
      { directory: "/two", hash: "h", time: 6, files: { "pawl.json": "f" } },
      { directory: "/one", hash: "newer", time: 7, files: { "pawl.json": "f" } },
    ],
  })
  const modes = await Promise.all([data, join(data, "trust.json")].map(async (path) => (await stat(path)).mode & 0o777))
  expect(modes).toEqual([0o700, 0o600])
})

it("forgets what is to be forgotten", async () => {
  const data = await temporaryDirectory()
  await addTrust(data, content("/one"), 5)

  expect(await removeTrust(data, "/two")).toBe(false)
  expect(await removeTrust(data, "/one")).toBe(true)
  expect((await readTrustStore(data)).entries).toEqual([])
})

it("loses nothing of several that write at the same time", async () => {
  const data = await temporaryDirectory()
  const directories = Array.from({ length: 20 }, (_, at) => `/${at}`)
  await Promise.all(directories.map((directory) => addTrust(data, content(directory), 1)))

  const { entries } = await readTrustStore(data)
  expect(entries.map(({ directory }) => directory).toSorted()).toEqual(directories.toSorted())
})

it.each([
  ["", "it is not valid JSON"],
  ["{", "it is not valid JSON"],
  ["[]", "it is not what pawl wrote"],
  ['{"version":2,"entries":[]}', "it is not what pawl wrote"],
  ['{"version":1,"entries":[{"directory":"/","hash":1}]}', "it is not what pawl wrote"],
])("trusts nothing, and says so, when the file is %j", async (text, why) => {
  const data = await temporaryDirectory()
  await writeFile(join(data, "trust.json"), text, { mode: 0o600 })

  const { entries, problem } = await readTrustStore(data)

  expect(entries).toEqual([])
  expect(problem).toContain(`so no project is trusted: ${why}`)
})

it("trusts nothing that somebody else may have written", async () => {
  const data = await temporaryDirectory()
  await addTrust(data, content("/one"), 5)
  await chmod(join(data, "trust.json"), 0o666)

  expect(await readTrustStore(data)).toMatchObject({ entries: [], problem: expect.stringContaining("chmod 600") })
})

it("keeps a file aside that it could not read, when something is trusted anew", async () => {
  const data = await temporaryDirectory()
  const path = join(data, "trust.json")
  await writeFile(path, "{ broken", { mode: 0o600 })

  await addTrust(data, content("/one"), 5)

  expect((await readTrustStore(data)).entries).toHaveLength(1)
  expect(await readFile(`${path}.unreadable`, "utf8")).toBe("{ broken")
})

it("says what is wrong with a directory in its place", async () => {
  const data = await temporaryDirectory()
  await mkdir(join(data, "trust.json"), { mode: 0o700 })

  expect(await readTrustStore(data)).toMatchObject({ entries: [], problem: expect.any(String) })
})
