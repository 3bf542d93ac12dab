import { mkdir, readdir, symlink, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { testDirectory } from "../../test/directory.ts"
import { OUTPUT_MAX_AGE, removeOldOutputs } from "./old-outputs.ts"
import { createOutputFile, isOutputName } from "./output-file.ts"

const now = Date.UTC(2026, 0, 20)
const DAY = 24 * 60 * 60 * 1000

async function aged(directory: string, name: string, age: number): Promise<void> {
  const path = join(directory, name)
  await writeFile(path, "12345")
  await utimes(path, new Date(now), new Date(now - age))
}

it("removes what was written seven days ago or earlier, and says how much that was", async () => {
  const directory = await testDirectory()
  const ages = [0, 6.9 * DAY, OUTPUT_MAX_AGE - 1000, OUTPUT_MAX_AGE, 8 * DAY, 400 * DAY, -DAY]
  for (const [index, age] of ages.entries()) await aged(directory, `tool_call_0000000${index}.txt`, age)
  expect(await removeOldOutputs(directory, { now: () => now })).toEqual({ files: 3, bytes: 15, failed: [] })
  expect((await readdir(directory)).toSorted()).toEqual([0, 1, 2, 6].map((index) => `tool_call_0000000${index}.txt`))
})

it("removes nothing that this package did not make", async () => {
  const directory = await testDirectory()
  const names = [
    "notes.txt",
    "tool_.txt",
    "tool_call_1.txt",
    "tool_call_0f3a9c1e.txt.bak",
    "my_tool_call_0f3a9c1e.txt",
    "tool_call_0F3A9C1E.txt",
    `tool_${"x".repeat(65)}_0f3a9c1e.txt`,
  ]
  for (const name of names) await aged(directory, name, 30 * DAY)
  await mkdir(join(directory, "tool_dir_0f3a9c1e.txt"))
  await aged(join(directory, "tool_dir_0f3a9c1e.txt"), "tool_below_0f3a9c1e.txt", 30 * DAY)
  await symlink(join(directory, "notes.txt"), join(directory, "tool_link_0f3a9c1e.txt"))
  const before = (await readdir(directory)).toSorted()
  expect(await removeOldOutputs(directory, { now: () => now + 400 * DAY, maxAge: 0 })).toMatchObject({
    files: 0,
    failed: [],
  })
  expect((await readdir(directory)).toSorted()).toEqual(before)
})

it("knows every name that outputs get", async () => {
  const directory = await testDirectory()
  for (const callID of ["call_1", "", "../../x", "ü".repeat(100), "toolu_01-Ab"]) {
    await (await createOutputFile(directory, callID)).handle.close()
  }
  expect((await readdir(directory)).filter((name) => isOutputName(name))).toHaveLength(5)
  expect(await removeOldOutputs(directory, { maxAge: 0, now: () => Date.now() + DAY })).toMatchObject({ files: 5 })
})

it("finds nothing to do where nothing was ever kept, and says so where it cannot look", async () => {
  const directory = await testDirectory({ "a file": "" })
  expect(await removeOldOutputs(join(directory, "missing"))).toEqual({ files: 0, bytes: 0, failed: [] })
  await expect(removeOldOutputs(join(directory, "a file"))).rejects.toThrow("ENOTDIR")
})

it("may be done by several at once", async () => {
  const directory = await testDirectory()
  for (let n = 0; n < 50; n++) await aged(directory, `tool_call_${String(n).padStart(8, "0")}.txt`, 8 * DAY)
  const all = await Promise.all([1, 2, 3].map(() => removeOldOutputs(directory, { now: () => now })))
  expect(all.reduce((sum, { files }) => sum + files, 0)).toBe(50)
  expect(all.flatMap(({ failed }) => failed)).toEqual([])
})
