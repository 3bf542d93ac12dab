import { execFile } from "node:child_process"
import { chmod, chown, link, mkdir, open, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect, it } from "vitest"
import { testDirectory } from "../../test/directory.ts"
import { writeAtomically } from "./atomic-write.ts"

const isRoot = process.getuid?.() === 0

it("replaces the file instead of writing into it, and leaves nothing else behind", async () => {
  const directory = await testDirectory({ "a.txt": "old" })
  const path = join(directory, "a.txt")
  await using before = await open(path)
  await writeAtomically(path, Buffer.from("new"))
  expect(await readFile(path, "utf8")).toBe("new")
  // Whoever has the old file open still reads the old bytes.
  expect(await before.readFile("utf8")).toBe("old")
  expect(await readdir(directory)).toEqual(["a.txt"])
})

it("keeps hard links", async () => {
  const directory = await testDirectory({ "a.txt": "older" })
  await link(join(directory, "a.txt"), join(directory, "same.txt"))
  await writeAtomically(join(directory, "a.txt"), Buffer.from("new"))
  expect(await readFile(join(directory, "same.txt"), "utf8")).toBe("new")
  expect((await stat(join(directory, "a.txt"))).nlink).toBe(2)
})

it("keeps the mode", async () => {
  const directory = await testDirectory({ "run.sh": "old" })
  const path = join(directory, "run.sh")
  await chmod(path, 0o750)
  await writeAtomically(path, Buffer.from("new"))
  expect((await stat(path)).mode & 0o7777).toBe(0o750)
})

it.runIf(isRoot)("keeps the owner", async () => {
  const directory = await testDirectory({ "a.txt": "old" })
  const path = join(directory, "a.txt")
  await chown(path, 1234, 1234)
  await writeAtomically(path, Buffer.from("new"))
  expect(await stat(path)).toMatchObject({ uid: 1234, gid: 1234 })
})

it("creates parent directories", async () => {
  const directory = await testDirectory()
  await writeAtomically(join(directory, "a/b/c.txt"), Buffer.from("new"))
  expect(await readFile(join(directory, "a/b/c.txt"), "utf8")).toBe("new")
})

it("refuses what is no regular file and leaves nothing behind", async () => {
  const directory = await testDirectory()
  await mkdir(join(directory, "sub"))
  await expect(writeAtomically(join(directory, "sub"), Buffer.from("new"))).rejects.toThrow("not a regular file")
  expect(await readdir(directory)).toEqual(["sub"])
})

it("gives a new file the mode that it is told, and an existing one its own", async () => {
  const directory = await testDirectory({ "old.sh": "" })
  await chmod(join(directory, "old.sh"), 0o700)
  for (const name of ["old.sh", "new.sh"])
    await writeAtomically(join(directory, name), Buffer.from("x"), { mode: 0o755 })
  expect((await stat(join(directory, "old.sh"))).mode & 0o7777).toBe(0o700)
  expect((await stat(join(directory, "new.sh"))).mode & 0o7777).toBe(0o755)
})

it("writes neither through a link that has taken the file's place nor through one in its directory", async () => {
  const outside = await testDirectory({ "a.txt": "outside" })
  const directory = await testDirectory()
  await symlink(join(outside, "a.txt"), join(directory, "a.txt"))
  await symlink(outside, join(directory, "sub"))
  await expect(writeAtomically(join(directory, "a.txt"), Buffer.from("new"))).rejects.toThrow("not a regular file")
  for (const name of ["sub/a.txt", "sub/b.txt", "sub/new/c.txt"]) {
    await expect(writeAtomically(join(directory, name), Buffer.from("new"))).rejects.toThrow("leads to")
  }
  expect(await readdir(outside)).toEqual(["a.txt"])
  expect(await readFile(join(outside, "a.txt"), "utf8")).toBe("outside")
})

it.skipIf(isRoot)("does not replace a file that may not be written", async () => {
  const directory = await testDirectory({ "a.txt": "old" })
  const path = join(directory, "a.txt")
  await chmod(path, 0o444)
  await expect(writeAtomically(path, Buffer.from("new"))).rejects.toThrow("EACCES")
  expect(await readFile(path, "utf8")).toBe("old")
})

it.runIf(isRoot)("does not replace a file that its owner may not write", async () => {
  const directory = await testDirectory({ "a.txt": "old" })
  await chmod(directory, 0o777)
  await chown(join(directory, "a.txt"), 65534, 65534)
  await chmod(join(directory, "a.txt"), 0o444)
  const program = `
    const { writeAtomically } = await import(process.argv[1])
    process.setgid(65534)
    process.setuid(65534)
    await writeAtomically(process.argv[2], Buffer.from("new")).catch((error) => console.log(error.code))
  `
  const entry = new URL("atomic-write.ts", import.meta.url).href
  const flags = ["--conditions=@pawl/source", "--input-type=module", "--eval", program]
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, entry, join(directory, "a.txt")])
  expect(stdout).toBe("EACCES\n")
  expect(await readFile(join(directory, "a.txt"), "utf8")).toBe("old")
})

it.skipIf(isRoot)("fills a file whose directory does not allow to replace it", async () => {
  const directory = await testDirectory({ "sub/a.txt": "old" })
  await chmod(join(directory, "sub"), 0o555)
  try {
    await writeAtomically(join(directory, "sub/a.txt"), Buffer.from("new"))
    expect(await readFile(join(directory, "sub/a.txt"), "utf8")).toBe("new")
  } finally {
    await chmod(join(directory, "sub"), 0o755)
  }
})

it("shows a reader the old bytes or the new ones, never a part", async () => {
  const directory = await testDirectory()
  const path = join(directory, "a.txt")
  const contents = ["a".repeat(300_000), "b".repeat(300_000)]
  await writeFile(path, contents[0] ?? "")
  const writing = (async () => {
    for (let round = 0; round < 10; round++) await writeAtomically(path, Buffer.from(contents[round % 2] ?? ""))
  })()
  const seen = new Set<string>()
  for (let round = 0; round < 50; round++) seen.add(await readFile(path, "utf8"))
  await writing
  expect([...seen].every((text) => contents.includes(text))).toBe(true)
})

it("says what stands where a directory would have to be, and leaves nothing", async () => {
  const directory = await testDirectory({ "a.txt": "old" })
  for (const name of ["a.txt/b.txt", "a.txt/b/c.txt"]) {
    await expect(writeAtomically(join(directory, name), Buffer.from("new"))).rejects.toThrow(
      `${join(directory, name)} cannot be written: ${join(directory, "a.txt")} is a file, not a directory.`,
    )
  }
  expect(await readdir(directory)).toEqual(["a.txt"])
})

it.each([false, true])(
  "asks last of all whether the file is still the same, with a further hard link: %s",
  async (isLinked) => {
    const directory = await testDirectory({ "a.txt": "old" })
    const path = join(directory, "a.txt")
    if (isLinked) await link(path, join(directory, "b.txt"))
    const names = await readdir(directory)
    const assertUnchanged = () => {
      throw new Error("It was changed.")
    }
    await expect(writeAtomically(path, Buffer.from("new"), { assertUnchanged })).rejects.toThrow("It was changed.")
    expect(await readFile(path, "utf8")).toBe("old")
    expect(await readdir(directory)).toEqual(names)
  },
)
