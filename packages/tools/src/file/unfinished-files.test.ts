import { spawn } from "node:child_process"
import { once } from "node:events"
import { readdir, symlink, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { currentProcess } from "@pawl/storage-kit"
import { expect, it, onTestFinished } from "vitest"
import { testDirectory } from "../../test/directory.ts"
import { testTools } from "../../test/tools.ts"
import { createUnfinishedFiles, unfinishedName } from "./unfinished-files.ts"

/** A process that stops for good right before its new bytes take the file's place. */
async function stoppedWriter(path: string) {
  const program = `
    import { writeSync } from "node:fs"
    const { writeAtomically } = await import(process.argv[1])
    const assertUnchanged = () => {
      writeSync(1, "ready")
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    }
    await writeAtomically(process.argv[2], Buffer.from("half"), { assertUnchanged })
  `
  const entry = new URL("atomic-write.ts", import.meta.url).href
  const flags = ["--conditions=@pawl/source", "--input-type=module", "--eval", program]
  const child = spawn(process.execPath, [...flags, entry, path], { stdio: ["ignore", "pipe", "inherit"] })
  onTestFinished(() => void child.kill("SIGKILL"))
  await once(child.stdout, "data")
  return child
}

const unfinished = async (directory: string) => (await readdir(directory)).filter((name) => name.endsWith(".tmp"))

it("removes what a killed writer left, at the next write in that directory, and nothing of one that lives", async () => {
  const directory = await testDirectory({ "b.txt": "old\n" })
  const writer = await stoppedWriter(join(directory, "a.txt"))
  expect(await unfinished(directory)).toHaveLength(1)
  await testTools(directory).run("write", { filePath: "b.txt", content: "one\n" })
  expect(await unfinished(directory)).toHaveLength(1)

  writer.kill("SIGKILL")
  await once(writer, "exit")
  await testTools(directory).run("edit", { filePath: "b.txt", oldString: "one", newString: "two" })
  expect(await readdir(directory)).toEqual(["b.txt"])
})

const self = currentProcess()
const dead = { ...self, pid: 2 ** 22 + 1 }
const elsewhere = { ...self, host: "elsewhere", boot: "another" }

it.each([
  ["of a dead process", unfinishedName(dead), 0, false],
  [
    "of an earlier process with this one's id",
    unfinishedName({ ...self, start: "1" }),
    0,
    process.platform !== "linux",
  ],
  ["of this process", unfinishedName(self), 48, true],
  ["of another machine", unfinishedName(elsewhere), 0, true],
  ["of another machine, for long", unfinishedName(elsewhere), 2, false],
  ["of an earlier version", `.pawl-${crypto.randomUUID()}.tmp`, 0, true],
  ["of an earlier version, for long", `.pawl-${crypto.randomUUID()}.tmp`, 2, false],
  ["of the user", ".pawl-notes.tmp", 48, true],
])("looks whose a file is: %s", async (_, name, hours, isKept) => {
  const directory = await testDirectory({ [name]: "half" })
  const time = Date.now() / 1000 - hours * 3600
  await utimes(join(directory, name), time, time)
  await createUnfinishedFiles().clean(directory)
  expect(await readdir(directory)).toEqual(isKept ? [name] : [])
})

it("removes nothing but files, and nothing behind a link", async () => {
  const outside = await testDirectory({ [unfinishedName(dead)]: "" })
  const directory = await testDirectory()
  await symlink(outside, join(directory, "link"))
  await symlink("nowhere", join(directory, unfinishedName(dead)))
  const files = createUnfinishedFiles()
  for (const path of [directory, join(directory, "link"), join(directory, "none")]) await files.clean(path)
  expect([await readdir(outside), await readdir(directory)]).toEqual([
    [expect.anything()],
    expect.objectContaining({ length: 2 }),
  ])
})

it("looks through a directory again only after some minutes", async () => {
  const directory = await testDirectory()
  let now = 0
  const files = createUnfinishedFiles(() => now)
  const left = async () => {
    await files.clean(directory)
    return (await readdir(directory)).length
  }
  expect(await left()).toBe(0)
  await writeFile(join(directory, unfinishedName(dead)), "")
  now = 9 * 60_000
  expect(await left()).toBe(1)
  now = 11 * 60_000
  expect(await left()).toBe(0)
})
