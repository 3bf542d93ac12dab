import { appendFile, chmod, readdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from "node:fs/promises"
import { basename, join } from "node:path"
import { setImmediate as turn } from "node:timers/promises"
import { expect, it } from "vitest"
import { testContext } from "../../test/context.ts"
import { testDirectory } from "../../test/directory.ts"
import { sha256 } from "../../test/sha256.ts"
import { testTools } from "../../test/tools.ts"
import { changeFile, type ChangeToFile } from "./change-file.ts"
import { createFileTimes } from "./file-times.ts"
import { readBytes } from "./read-bytes.ts"

/** A file as a tool finds it, what it was told of the change, and what a session has seen. */
async function opened(files: Record<string, string>, name = "a.txt") {
  const directory = await testDirectory(files)
  const target = join(directory, name)
  const context = testContext(directory)
  const file: ChangeToFile["file"] = { path: target, shown: target, target }
  const before = await readBytes(target)
  const images = () => context.images.map(({ path, side, bytes }) => [basename(path), side, bytes?.toString()])
  return { directory, target, context, file, before, images, fileTimes: createFileTimes() }
}

it("has the image before stored when the first byte is written, and tells the one after", async () => {
  const { target, context, file, before, images, fileTimes } = await opened({ "a.txt": "one\n" })
  const found: string[] = []
  const looking = {
    ...context,
    files: {
      before: async (...image: Parameters<typeof context.files.before>) => {
        await context.files.before(...image)
        await new Promise((resolve) => setImmediate(resolve))
        found.push(await readFile(target, "utf8"))
      },
      after: (...image: Parameters<typeof context.files.after>) => context.files.after(...image),
    },
  }
  const changed = await changeFile({ file, before, bytes: Buffer.from("two\n") }, looking, { fileTimes })
  expect(found).toEqual(["one\n"])
  expect(images()).toEqual([
    ["a.txt", "before", "one\n"],
    ["a.txt", "after", "two\n"],
  ])
  expect(`sha256:${changed.hash}`).toBe(sha256("two\n"))
  expect(changed.diff).toMatchObject({ additions: 1, deletions: 1 })
  const version = (await readBytes(target))?.version
  expect(version && fileTimes.isChanged("ses_test", target, version)).toBe(false)
})

it("tells that there was no file, and that there is none any more", async () => {
  const made = await opened({}, "new/a.txt")
  await changeFile({ ...made, bytes: Buffer.from("x"), mode: 0o755 }, made.context, made)
  expect(made.images()).toEqual([
    ["a.txt", "before", undefined],
    ["a.txt", "after", "x"],
  ])
  expect((await stat(made.target)).mode & 0o777).toBe(0o755)

  const removed = await opened({ "a.txt": "x\n" })
  const { diff, hash } = await changeFile({ ...removed, bytes: undefined }, removed.context, removed)
  expect(removed.images()).toEqual([
    ["a.txt", "before", "x\n"],
    ["a.txt", "after", undefined],
  ])
  expect({ hash, deletions: diff.deletions }).toEqual({ hash: undefined, deletions: 1 })
  await expect(stat(removed.target)).rejects.toThrow("ENOENT")
})

it("records the permission bits on both sides", async () => {
  const { context, file, target, fileTimes } = await opened({ "a.txt": "x" })
  await chmod(target, 0o750)
  const modes: (number | undefined)[] = []
  Object.assign(context.files, {
    before: async (_: string, __: unknown, mode?: number) => void modes.push(mode),
    after: async (_: string, __: unknown, mode?: number) => void modes.push(mode),
  })
  await changeFile({ file, before: await readBytes(target), bytes: Buffer.from("y") }, context, { fileTimes })
  expect(modes).toEqual([0o750, 0o750])
})

it("writes and records nothing where nothing changes", async () => {
  const file = await opened({ "a.txt": "x" })
  await utimes(file.target, 1, 1)
  const { diff, notes } = await changeFile({ ...file, bytes: Buffer.from("x") }, file.context, {
    fileTimes: file.fileTimes,
    afterWrite: () => Promise.reject(new Error("There is nothing to format.")),
  })
  expect({ diff, notes, images: file.images() }).toEqual({
    diff: { patch: "", additions: 0, deletions: 0 },
    notes: [],
    images: [],
  })
  expect((await stat(file.target)).mtimeMs).toBe(1000)
})

it("counts what happens right after the write as part of the change", async () => {
  const file = await opened({ "a.txt": "one\n" })
  const afterWrite = async ({ target }: ChangeToFile["file"]) => {
    await appendFile(target, "formatted\n")
    return ["Formatted."]
  }
  const changed = await changeFile({ ...file, bytes: Buffer.from("two\n") }, file.context, { ...file, afterWrite })
  expect(file.images().at(-1)).toEqual(["a.txt", "after", "two\nformatted\n"])
  expect(changed).toMatchObject({ notes: ["Formatted."], diff: { additions: 2, deletions: 1 } })
  expect(`sha256:${changed.hash}`).toBe(sha256("two\nformatted\n"))
})

it("tells what a change that failed half-way left", async () => {
  const file = await opened({ "a.txt": "one\n" })
  const afterWrite = () => Promise.reject(new Error("half-way"))
  await expect(
    changeFile({ ...file, bytes: Buffer.from("two\n") }, file.context, { ...file, afterWrite }),
  ).rejects.toThrow("half-way")
  expect(file.images().at(-1)).toEqual(["a.txt", "after", "two\n"])
})

it("writes nothing where the image before cannot be stored", async () => {
  const file = await opened({ "a.txt": "one\n" })
  Object.assign(file.context.files, { before: () => Promise.reject(new Error("The disk is full.")) })
  await expect(changeFile({ ...file, bytes: Buffer.from("two\n") }, file.context, file)).rejects.toThrow("disk is full")
  expect(await readFile(file.target, "utf8")).toBe("one\n")
})

it.each([
  ["changed", (target: string) => writeFile(target, "by somebody else\n")],
  ["removed", (target: string) => rm(target)],
  [
    "turned into a link",
    async (target: string) => {
      await rm(target)
      await symlink("b.txt", target)
    },
  ],
])("refuses a file that was %s since it was read", async (_, happens) => {
  const file = await opened({ "a.txt": "one\n", "b.txt": "other\n" })
  await happens(file.target)
  await expect(changeFile({ ...file, bytes: Buffer.from("two\n") }, file.context, file)).rejects.toThrow(
    "was changed by another process",
  )
  expect(await readFile(join(file.directory, "b.txt"), "utf8")).toBe("other\n")
})

it("refuses a file that another one took the place of while the new bytes were written beside it", async () => {
  const file = await opened({ "a.txt": "one\n" })
  const changing = changeFile({ ...file, bytes: Buffer.alloc(8 * 2 ** 20) }, file.context, file)
  // The same size, and times that are set: only the file itself is another one.
  const { atime, mtime } = await stat(file.target)
  while (!(await readdir(file.directory)).some((name) => name.startsWith(".pawl-"))) await turn()
  await writeFile(join(file.directory, "other"), "six\n")
  await utimes(join(file.directory, "other"), atime, mtime)
  await rename(join(file.directory, "other"), file.target)
  await expect(changing).rejects.toThrow("was changed by another process")
  expect(await readFile(file.target, "utf8")).toBe("six\n")
  expect(await readdir(file.directory)).toEqual(["a.txt"])
})

it("refuses a file that has come to be since it was found missing", async () => {
  const file = await opened({}, "a.txt")
  await writeFile(file.target, "by somebody else\n")
  await expect(changeFile({ ...file, bytes: Buffer.from("two\n") }, file.context, file)).rejects.toThrow(
    "was changed by another process",
  )
  expect(await readFile(file.target, "utf8")).toBe("by somebody else\n")
})

it("records one change for each call of write and edit, under the name that a link leads to", async () => {
  const directory = await testDirectory({ "a.txt": "one\n" })
  await symlink("a.txt", join(directory, "link"))
  const tools = testTools(directory)
  const context = testContext(directory)
  await tools.run("write", { filePath: "link", content: "two\n" }, context)
  await tools.run("edit", { filePath: "link", oldString: "two", newString: "three" }, context)
  expect(context.images.map(({ path, side, bytes }) => [path, side, bytes?.toString()])).toEqual([
    [join(directory, "a.txt"), "before", "one\n"],
    [join(directory, "a.txt"), "after", "two\n"],
    [join(directory, "a.txt"), "before", "two\n"],
    [join(directory, "a.txt"), "after", "three\n"],
  ])
  const refused = testContext(directory)
  await expect(tools.run("edit", { filePath: "a.txt", oldString: "nothing", newString: "x" }, refused)).rejects.toThrow(
    "was not found",
  )
  expect(refused.images).toEqual([])
})
