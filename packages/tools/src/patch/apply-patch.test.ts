import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { testContext, testPlace } from "../../test/context.ts"
import { testDirectory } from "../../test/directory.ts"
import { sha256 } from "../../test/sha256.ts"
import { testTools } from "../../test/tools.ts"

const patch = (...lines: string[]) => ({ patchText: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n") })
const contents = async (directory: string) => {
  const names = (await readdir(directory)).toSorted()
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(directory, name), "utf8")])),
  ) as Record<string, string>
}

const everything = patch(
  "*** Update File: a.txt",
  "@@",
  "-one",
  "+1",
  "*** Add File: new.txt",
  "+new",
  "*** Update File: old.txt",
  "*** Move to: moved.txt",
  "-two",
  "+2",
  "*** Delete File: gone.txt",
)

it("adds, changes, moves and deletes files, and tells what changed", async () => {
  const directory = await testDirectory({ "a.txt": "one\n", "old.txt": "two\n", "gone.txt": "three\n" })
  await chmod(join(directory, "old.txt"), 0o751)
  const { output, metadata, title } = await testTools(directory).run("apply_patch", everything)

  expect(await contents(directory)).toEqual({ "a.txt": "1\n", "moved.txt": "2\n", "new.txt": "new\n" })
  expect((await stat(join(directory, "moved.txt"))).mode & 0o777).toBe(0o751)
  expect(title).toBe("4 files")
  expect(output).toBe("Success. Updated the following files:\nM a.txt\nA new.txt\nR old.txt -> moved.txt\nD gone.txt")
  const at = (name: string) => join(directory, name)
  expect(metadata?.["files"]).toMatchObject([
    { file: at("a.txt"), status: "modified", additions: 1, deletions: 1, hash: sha256("1\n") },
    { file: at("new.txt"), status: "added", additions: 1, deletions: 0 },
    {
      file: at("old.txt"),
      movePath: at("moved.txt"),
      status: "moved",
      additions: 1,
      deletions: 1,
      hash: sha256("2\n"),
    },
    { file: at("gone.txt"), status: "deleted", additions: 0, deletions: 1 },
  ])
  expect(metadata?.["diff"]).toContain(`--- ${at("a.txt")}\n`)
})

it("records each file before and after", async () => {
  const directory = await testDirectory({ "a.txt": "one\n", "old.txt": "two\n", "gone.txt": "three\n" })
  const context = testContext(directory)
  await testTools(directory).run("apply_patch", everything, context)
  const images = context.images.map(({ path, side, bytes }) => {
    return [path.slice(directory.length + 1), side, bytes && Buffer.from(bytes).toString()]
  })
  expect(images).toEqual([
    ["a.txt", "before", "one\n"],
    ["a.txt", "after", "1\n"],
    ["new.txt", "before", undefined],
    ["new.txt", "after", "new\n"],
    ["moved.txt", "before", undefined],
    ["moved.txt", "after", "2\n"],
    ["old.txt", "before", "two\n"],
    ["old.txt", "after", undefined],
    ["gone.txt", "before", "three\n"],
    ["gone.txt", "after", undefined],
  ])
})

it.each([
  ["a hunk that does not fit", ["*** Update File: b.txt", "-nowhere", "+x"], "Hunk 1 of "],
  ["a missing file", ["*** Update File: c.txt", "-x", "+y"], "File not found: "],
  ["a missing file to delete", ["*** Delete File: c.txt"], "File not found: "],
  ["a new file that exists", ["*** Add File: b.txt", "+x"], 'exists already. Change it with "*** Update File:"'],
  ["a target that exists", ["*** Update File: b.txt", "*** Move to: a.txt"], "so "],
  ["a directory", ["*** Delete File: sub"], "is a directory"],
  ["a link that is to go", ["*** Delete File: link.txt"], "is a link to "],
  ["a link that is to move", ["*** Update File: link.txt", "*** Move to: x.txt"], "is a link to "],
])("changes nothing where a later part is %s", async (_, lines, message) => {
  const directory = await testDirectory({ "a.txt": "one\n", "b.txt": "two\n", "sub/x": "" })
  await symlink("b.txt", join(directory, "link.txt"))
  const context = testContext(directory)
  const patching = testTools(directory).run(
    "apply_patch",
    patch("*** Update File: a.txt", "-one", "+1", ...lines),
    context,
  )
  await expect(patching).rejects.toThrow(message)
  expect(await readFile(join(directory, "a.txt"), "utf8")).toBe("one\n")
  expect((await readdir(directory)).toSorted()).toEqual(["a.txt", "b.txt", "link.txt", "sub"])
  expect(context.images).toEqual([])
})

it("puts back what was written when a later file cannot be", async () => {
  const files = { "a.txt": "one\n", "b.txt": "two\n", "gone.txt": "three\n", file: "" }
  const directory = await testDirectory(files)
  const context = testContext(directory)
  const lines = [
    ...["*** Update File: a.txt", "-one", "+1", "*** Delete File: gone.txt"],
    ...["*** Update File: b.txt", "*** Move to: moved.txt", "-two", "+2"],
    // Only the file system knows that nothing can stand below a file.
    ...["*** Add File: file/below.txt", "+x"],
  ]
  await expect(testTools(directory).run("apply_patch", patch(...lines), context)).rejects.toThrow(
    "file is a file, not a directory",
  )
  expect(await contents(directory)).toEqual(files)
  const last = new Map(context.images.map((image) => [image.path, image]))
  expect(last.get(join(directory, "a.txt"))).toMatchObject({ side: "after", bytes: Buffer.from("one\n") })
})

it("puts back what was written when the call is aborted between two files", async () => {
  const directory = await testDirectory({ "a.txt": "one\n", "b.txt": "two\n" })
  const controller = new AbortController()
  const context = testContext(directory, { signal: controller.signal })
  const recorder = context.files
  const files: typeof recorder = {
    before: (...image) => recorder.before(...image),
    async after(...image) {
      await recorder.after(...image)
      controller.abort(new Error("No more."))
    },
  }
  const call = patch("*** Update File: a.txt", "-one", "+1", "*** Update File: b.txt", "-two", "+2")
  await expect(testTools(directory).run("apply_patch", call, Object.assign(context, { files }))).rejects.toThrow(
    "No more.",
  )
  expect(await contents(directory)).toEqual({ "a.txt": "one\n", "b.txt": "two\n" })
})

it.each([
  [
    ["b.txt"],
    { "a.txt": "one\n", "b.txt": "else" },
    /^[^\n]*b\.txt was changed by another process during this call[^\n]*$/,
  ],
  [["a.txt", "b.txt"], { "a.txt": "else", "b.txt": "else" }, /these files could not be put back: \S*\/a\.txt\.$/],
])("puts nothing back over what somebody else writes meanwhile to %j", async (names, left, message) => {
  const directory = await testDirectory({ "a.txt": "one\n", "b.txt": "two\n" })
  const context = testContext(directory)
  const recorder = context.files
  const files: typeof recorder = {
    async before(path, ...image) {
      await recorder.before(path, ...image)
      if (!path.endsWith("b.txt")) return
      for (const name of names) await writeFile(join(directory, name), "else")
    },
    after: (...image) => recorder.after(...image),
  }
  const call = patch("*** Update File: a.txt", "-one", "+1", "*** Update File: b.txt", "-two", "+2")
  const patching = testTools(directory).run("apply_patch", call, Object.assign(context, { files }))
  await expect(patching).rejects.toThrow(message)
  expect(await contents(directory)).toEqual(left)
})

it("lets later parts see what earlier ones made of the same file, under whatever name", async () => {
  const directory = await testDirectory({ "a.txt": "one\ntwo\n" })
  await symlink("a.txt", join(directory, "link.txt"))
  const call = patch(
    ...["*** Update File: a.txt", "-one", "+1", "*** Update File: link.txt", "-1", "+uno"],
    ...["*** Add File: b.txt", "+b", "*** Update File: b.txt", "*** Move to: c.txt"],
  )
  await testTools(directory).run("apply_patch", call)
  expect(await readFile(join(directory, "a.txt"), "utf8")).toBe("uno\ntwo\n")
  expect((await readdir(directory)).toSorted()).toEqual(["a.txt", "c.txt", "link.txt"])
})

it("needs one permission for all files, with the places outside and what is protected besides", async () => {
  const [directory, outside] = [await testDirectory(), await testDirectory({ "a.txt": "" })]
  await mkdir(join(directory, ".git"))
  const tool = testTools(directory).tool("apply_patch")
  const call = patch(
    ...["*** Delete File: a.txt", `*** Delete File: ${outside}/a.txt`],
    ...["*** Update File: b.txt", "*** Move to: .git/hooks/pre-commit"],
  )
  const needs = (await tool.permissions?.(tool.parse(call), testPlace(directory))) ?? []
  const byName = Object.fromEntries(needs.map(({ permission, patterns }) => [permission, patterns]))
  expect(needs).toHaveLength(3)
  expect(byName["edit"]).toEqual(expect.arrayContaining(["a.txt", "b.txt", ".git/hooks/pre-commit"]))
  expect(byName["external_directory"]).toEqual([`${outside}/*`])
  expect(byName["protected_file"]).toEqual([".git/hooks/pre-commit"])
})

it("does not follow a link that was put in the way after it was allowed", async () => {
  const [directory, outside] = [await testDirectory({ "a.txt": "one\n" }), await testDirectory()]
  const tool = testTools(directory).tool("apply_patch")
  const context = testContext(directory)
  const call = tool.parse(patch("*** Update File: a.txt", "-one", "+1", "*** Add File: new/b.txt", "+b"))
  await tool.permissions?.(call, context)
  await symlink(outside, join(directory, "new"))
  await expect(tool.execute(call, context)).rejects.toThrow("led to")
  expect(await readdir(outside)).toEqual([])
  expect(await readFile(join(directory, "a.txt"), "utf8")).toBe("one\n")
})

it("says what had changed since it was read, and does not delete it", async () => {
  const directory = await testDirectory({ "a.txt": "one\n" })
  const tools = testTools(directory)
  await tools.run("read", { filePath: "a.txt" })
  await writeFile(join(directory, "a.txt"), "one\ntwo\n")
  await expect(tools.run("apply_patch", patch("*** Delete File: a.txt"))).rejects.toThrow(
    "Read it again, then delete it.",
  )
  const { output } = await tools.run("apply_patch", patch("*** Update File: a.txt", "-one", "+1"))
  expect(output).toContain("a.txt had changed since it was last read.")
})

it("leaves alone what lies outside of the hunks, whatever the encoding", async () => {
  const latin = Buffer.from("caf\u00e9\r\nend\r\n", "latin1")
  const wide = Buffer.from("\uFEFFgr\u00f6\u00dfe\nend\n", "utf16le")
  const directory = await testDirectory({ "latin.txt": latin, "wide.txt": wide })
  const hunk = ["@@", "-end", "+th\u00e9"]
  const call = patch("*** Update File: latin.txt", ...hunk, "*** Update File: wide.txt", ...hunk)
  await testTools(directory).run("apply_patch", call)
  expect(await readFile(join(directory, "latin.txt"))).toEqual(Buffer.from("caf\u00e9\r\nth\u00e9\r\n", "latin1"))
  expect(await readFile(join(directory, "wide.txt"))).toEqual(
    Buffer.from("\uFEFFgr\u00f6\u00dfe\nth\u00e9\n", "utf16le"),
  )
})

it.each(["$(touch HIT)", "; touch HIT", "`touch HIT`", "-rf", "--help", "'\"", "[a]*?", "*** End Patch", "~", "a\\b"])(
  "takes %j for a name and nothing else",
  async (name) => {
    const directory = await testDirectory()
    const tools = testTools(directory)
    await tools.run("apply_patch", patch(`*** Add File: ${name}`, "+one"))
    await tools.run("apply_patch", patch(`*** Update File: ${name}`, "-one", "+two"))
    expect(await contents(directory)).toEqual({ [name]: "two\n" })
    await tools.run("apply_patch", patch(`*** Delete File: ${name}`))
    expect(await readdir(directory)).toEqual([])
  },
)

it("loses nothing where several patches and edits meet in the same files", async () => {
  const words = Array.from({ length: 10 }, (_, index) => `<${index}>`)
  const text = `${words.join("\n")}\n`
  const directory = await testDirectory({ "a.txt": text, "b.txt": text })
  const tools = testTools(directory)
  await Promise.all(
    words.map((word, index) => {
      const names = index % 2 === 0 ? ["a.txt", "b.txt"] : ["b.txt", "a.txt"]
      if (index === 5) {
        return Promise.all(
          names.map((filePath) => tools.run("edit", { filePath, oldString: word, newString: `${word}!` })),
        )
      }
      return tools.run(
        "apply_patch",
        patch(...names.flatMap((name) => [`*** Update File: ${name}`, `-${word}`, `+${word}!`])),
      )
    }),
  )
  const done = `${words.map((word) => `${word}!`).join("\n")}\n`
  expect(await contents(directory)).toEqual({ "a.txt": done, "b.txt": done })
})
